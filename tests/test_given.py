"""What Python callers may give: anything else is refused in one line that names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from analysis.tables import compare, summary
from simcore import InputError, find_game, open_run, simulate

play: Any = simulate
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a list to vary": (lambda: play("bank", vary=["seven"]), "vary = ['seven'] is not allowed; allowed: a mapping"),
    "a text to vary": (lambda: play("bank", vary="seven"), "vary = 'seven' is not allowed; allowed: a mapping"),
    "a number as values": (lambda: play("bank", vary={"seven": 3.5}), "vary['seven'] = 3.5 is not allowed"),
    "a number as bots": (lambda: play("bank", bots=5), "bots = 5 is not allowed; allowed: a text, or a list of texts"),
    "numbers as bots": (lambda: play("bank", bots=[5]), "bots = [5] is not allowed"),
    "a number to set": (lambda: play("bank", set=4), "set = 4 is not allowed"),
    "a number as an option": (lambda: play("bank", set={3: 4}), "set = {3: 4} is not allowed"),
    "a number as a game": (lambda: find_game(5), "the game = 5 is not allowed; allowed: a text"),  # type: ignore[arg-type]
    "a number as a run": (lambda: open_run(5), "the run = 5 is not allowed; allowed: a path"),  # type: ignore[arg-type]
    "a number to write to": (lambda: play("bank", 10, out=5), "out = 5 is not allowed; allowed: a path"),
    "yes as games": (lambda: play("bank", True), "games = True is not allowed; allowed: a whole number"),
    "a text as seed": (lambda: play("bank", 10, seed="x"), "seed = 'x' is not allowed; allowed: a whole number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_used_is_named(name: str) -> None:
    call, said = WRONG[name]
    with pytest.raises(InputError) as error:
        call()
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_one_metric_may_come_bare_and_a_variant_by_its_number() -> None:
    run = simulate("bank", 200, vary={"seven": ["skip", "nothing"]}, bots="random")
    bare: Any = "rounds"
    number: Any = 2
    assert summary(run, bare).equals(summary(run, ["rounds"]))
    assert compare(run, number, bare).equals(compare(run, "seven=nothing", ["rounds"]))
    for wrong in (5, [5]):
        with pytest.raises(InputError, match="metrics = "):
            summary(run, wrong)  # type: ignore[arg-type]
    none: Any = 1.5
    with pytest.raises(InputError, match=r"the variant = 1\.5 is not allowed"):
        compare(run, none)
