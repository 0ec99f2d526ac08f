"""Every parser, given anything: it takes it, or refuses it in one line, and is quick about it.

The short version of each runs always, and always the same; the long one (100,000 inputs in all) is nightly.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toys import BOTS, RULES

from analysis import where
from analysis.claims import load_claims
from analysis.margins import parse_margin
from analysis.quantiles import parse_quantile
from analysis.study import load_study
from analysis.until import parse_until
from simcore.batch import planned_run
from simcore.bots import parse_player, parse_table
from simcore.cluster import check_scheduler
from simcore.errors import InputError, RunError
from simcore.games import find_game
from simcore.manifest import parse_manifest
from simcore.numbers import parse_count, parse_indices
from simcore.options import parse_assignment
from simcore.places import place
from simcore.variants import plan

SHORT, LONG_IN_ALL = 120, 100_000
SLOW_SECONDS = 5.0
BANK, OCHKO, SQUARE = find_game("bank"), find_game("ochko"), find_game("square")
MARGINS = ("rounds", "first_mover_edge")


# --- inputs -----------------------------------------------------------------------------------------------------------

TOKENS = [
    *("players", "colour", "size", "goal", "fine", "seven", "trumps", "target", "bank", "random", "stand", "at", "stake"),
    *("red", "black", "none", "1", "2a", "0", "-1", "12", "13", "1000", "10000", "999999999", "1e5", "1e99", "1_0", "0x1"),
    *("=", ",", "..", ".", "(", ")", " ", "±", "+-", "%", "e", "E", "+", "-", "_", "/", "*", "<", ">", "and", "not", "abs"),
    *("\n", "\t", "\0", "\x1b[31m", "\u202e", "\ud800", "٣", "é", "𝟙", "'", '"', "\\", "://", "s3://", "file:///", "~", "$(x)"),
]  # fmt: skip
ANYTHING = st.text(max_size=60)
NEAR = st.lists(st.sampled_from(TOKENS), max_size=14).map("".join)
LONG = st.builds(lambda text, times: text * times, st.sampled_from(TOKENS), st.sampled_from([1000, 50_000]))


def changed(valid: str) -> st.SearchStrategy[str]:
    """A valid text with a piece cut out, and another put in."""
    return st.builds(
        lambda at, size, new: valid[:at] + new + valid[at + size :],
        st.integers(0, len(valid)),
        st.integers(0, 12),
        st.one_of(st.just(""), st.sampled_from(TOKENS), ANYTHING),
    )


def texts(*valid: str) -> st.SearchStrategy[str]:
    """Texts of any kind: anything, pieces of valid ones in any order, valid ones changed, and very long ones."""
    return st.one_of(ANYTHING, NEAR, *(changed(text) for text in valid), LONG)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), ANYTHING, st.integers(10**18, 10**400)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(ANYTHING, inner, max_size=3)),
    max_leaves=6,
)
MANIFEST = json.loads(planned_run("bank", 100, vary={"seven": ["skip", "nothing"]}).manifest.to_json())


def _set(data: Any, way: list[int], value: Any) -> Any:
    """A copy of JSON data in which what lies at the end of a way is another value."""
    if not way or not isinstance(data, dict | list) or not data:
        return value
    if isinstance(data, dict):
        key = sorted(data)[way[0] % len(data)]
        return {**data, key: _set(data[key], way[1:], value)}
    at = way[0] % len(data)
    return [*data[:at], _set(data[at], way[1:], value), *data[at + 1 :]]


def _resigned(data: Any) -> str:
    """As text, with the run_id that fits as well as that can be guessed: what a forger would write."""
    if isinstance(data, dict) and "run_id" in data:
        known = planned_run("bank", 100).manifest.identity
        identity = {key: data.get(key) for key in known}
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
        data = {**data, "run_id": hashlib.sha256(text.encode()).hexdigest()[:16]}
    return json.dumps(data)


MANIFESTS = st.one_of(
    st.builds(lambda way, value: _resigned(_set(MANIFEST, way, value)), st.lists(st.integers(0, 99), max_size=4), JSON),
    changed(json.dumps(MANIFEST)),
    JSON.map(json.dumps),
    texts(json.dumps(MANIFEST)),
)

STUDY = """
[study]
title = "A study"
game = "bank"
games = 100
seed = 3
[[run]]
id = "one"
set = { target = 100 }
vary = { seven = ["skip", 4], trumps = "all" }
bots = ["random", "random,greedy,random"]
baseline = "1"
metrics = ["turns"]
one_at_a_time = false
[[run]]
set = { players = 2, penalty = "2a" }
"""

CLAIMS = """
[claims]
game = "bank"
[[claim]]
id = "short"
sentence = "It is short."
metric = "turns"
direction = "less"
margin = 1.0
baseline = { seven = "skip" }
variant = { seven = "nothing" }
bots = "random"
rulings = { cover = "all" }
"""


# --- parsers ----------------------------------------------------------------------------------------------------------


def read_file(read: Callable[[Path], Any]) -> Callable[[str], Any]:
    """A parser of files as one of texts."""

    def parse(text: str) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file.toml"
            path.write_bytes(text.encode(errors="surrogatepass"))
            return read(path)

    return parse


def plan_of(text: str) -> Any:
    """As ``--vary`` and ``--set`` do it."""
    name, value = parse_assignment(text)
    return plan(BANK, {}, {name: BANK.rules.parse_values(name, value)}, ["random"], one_at_a_time=False)


def condition(text: str) -> Any:
    import numpy as np

    parsed = where.parse(text, "--where", "condition")
    return parsed.evaluate({name: np.arange(5) for name in parsed.names})


Parser = tuple[st.SearchStrategy[Any], Callable[[Any], Any]]

PARSERS: dict[str, Parser] = {
    "assignment": (texts("seven=skip"), parse_assignment),
    "setting": (texts("size=5"), lambda text: RULES.rules(dict([parse_assignment(text)]))),
    "word": (texts("black", "2a"), lambda text: RULES["colour"].parse(text)),
    "number": (st.one_of(texts("12"), st.integers(), st.booleans()), lambda text: RULES["size"].parse(text)),
    "values": (texts("1..12..3,5"), lambda text: RULES.parse_values("size", text)),
    "many values": (texts("1..1000"), lambda text: RULES.parse_values("goal", text)),
    "words to vary": (texts("red,black"), lambda text: RULES.parse_values("colour", text)),
    "variants": (texts("seven=skip,4", "target=1..1000..7", "players=2,3"), plan_of),
    "bot": (texts("stand(at=3,stake=all)"), lambda text: parse_player("toy", BOTS, text)),
    "table": (texts("random,stand(at=3),random"), lambda text: parse_table("toy", BOTS, text, 3)),
    "count": (texts("2.5e5", "100_000"), lambda text: parse_count(text, "--games", 10**15)),
    "indices": (texts("0..99"), lambda text: parse_indices(text, 2**53)),
    "game": (texts("bank"), find_game),
    "place": (texts("s3://bucket/run", "run/folder"), place),
    "manifest": (MANIFESTS, lambda text: parse_manifest(text, "manifest.json")),
    "until": (texts("turns ± 0.5", "first_mover_edge +- 1%"), lambda text: parse_until(text, BANK, 3)),
    "margin": (texts("0.5 rounds", "1 pp"), lambda text: [parse_margin(BANK.find_metric(m, 3), text) for m in MARGINS]),
    "quantile": (texts("rounds.q50", "margin.q99.5"), lambda text: parse_quantile(planned_run("bank", 100), text)),
    "scheduler": (texts("local:2", "tcp://host:8786"), check_scheduler),
    "rules of ochko": (texts("deck=36", "bank=100"), lambda text: OCHKO.rules.rules(dict([parse_assignment(text)]))),
    "bots of ochko": (
        texts("threshold(stand=16,stake=flat:5),basic,random,random"),
        lambda text: parse_table("ochko", OCHKO.bots, text, 4),
    ),
    "rules of square": (texts("end_at=7"), lambda text: SQUARE.rules.rules(dict([parse_assignment(text)]))),
    "by": (texts("-drama", "turns / rounds"), lambda text: where.parse(text, "--by", "number")),
    "where": (texts("turns > 2 * (rounds + 1) and not abs(margin) <= 3"), condition),
    "study": (texts(STUDY), read_file(load_study)),
    "claims": (texts(CLAIMS), read_file(load_claims)),
}


def taken_or_refused(parse: Callable[[Any], Any], value: Any) -> None:
    """The parser returns, or refuses in one printable line; it takes no time; it warns of nothing."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            parse(value)
        except (InputError, RunError) as error:
            text = str(error)
            assert text
            assert "\n" not in text
            assert "\x1b" not in text
    assert time.process_time() - began < SLOW_SECONDS


def fuzz(name: str, **how: Any) -> int:
    """Try a parser; returns with how many inputs."""
    strategy, parse = PARSERS[name]
    tried = 0

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), **how)
    @given(strategy)
    def run(value: Any) -> None:
        nonlocal tried
        tried += 1
        taken_or_refused(parse, value)

    run()
    return tried


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_takes_or_refuses(name: str) -> None:
    fuzz(name, max_examples=SHORT, derandomize=True)


@pytest.mark.nightly
@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_takes_or_refuses_anything(name: str) -> None:
    wanted = -(-LONG_IN_ALL // len(PARSERS))
    assert fuzz(name, max_examples=wanted) >= wanted


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("variants", "seven=skip,4"),
        ("margin", "0.5"),
        ("quantile", "rounds.q50"),
        ("scheduler", "tcp://host:8786"),
        ("rules of ochko", "deck=36"),
        ("bots of ochko", "threshold(stand=16,stake=flat:5),basic,random,random"),
        ("rules of square", "end_at=7"),
        ("until", "turns ± 0.5"),
        ("by", "-drama"),
    ],
)
def test_the_valid_argument_of_this_test_is_valid(name: str, text: str) -> None:
    PARSERS[name][1](text)


@pytest.mark.parametrize("name", ["study", "claims", "manifest"])
def test_the_valid_input_of_this_test_is_valid(name: str) -> None:
    """Otherwise what is changed would be wrong from the beginning, and the parser never entered deeply."""
    PARSERS[name][1]({"study": STUDY, "claims": CLAIMS, "manifest": json.dumps(MANIFEST)}[name])


# --- what was once too slow, or took too much -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bot", "random" + " " * 200_000 + "x"),
        ("bot", "stand(" + "(" * 100_000),
        ("bot", "stand(at=1" + ",at=1" * 50_000 + ")"),
        ("table", "a(" * 50_000 + ")" * 50_000),
        ("many values", ",".join(map(str, range(1, 1001))) + ",1" * 20_000),
        ("values", "1.." * 50_000),
        ("count", "1" * 100_000 + "e5"),
        ("count", "1_" * 100_000),
        ("indices", "1.." + "9" * 100_000),
        ("assignment", "=" * 200_000),
        ("manifest", "[" * 200_000),
        ("manifest", "9" * 200_000),
        ("manifest", '{"format": 1, "games": ' + "9" * 4000 + "}"),
        ("game", "bank" * 50_000),
        ("where", "(" * 100_000),
        ("until", "a" * 100_000 + " ± "),
    ],
)
def test_a_hostile_input_is_refused_at_once(name: str, text: str) -> None:
    parse = PARSERS[name][1]
    began = time.process_time()
    with pytest.raises(InputError) as error:
        parse(text)
    assert time.process_time() - began < 1.0
    assert "\n" not in str(error.value)


def test_a_number_too_long_for_python_is_refused_and_not_an_error_of_its_own() -> None:
    for digits in (4299, 4300, 4301, 10_000):
        taken_or_refused(PARSERS["manifest"][1], json.dumps(MANIFEST).replace("100", "9" * digits))


# --- what is written is read again ------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.integers(1, 21), st.sampled_from(["half", "all"]))
def test_a_bot_is_read_back_from_its_name(at: int, stake: str) -> None:
    player = parse_player("toy", BOTS, f"stand(at={at}, stake={stake})")
    assert parse_player("toy", BOTS, str(player)) == player


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.integers(1, 10**15))
def test_a_count_is_read_back(count: int) -> None:
    assert parse_count(str(count), "--games", 10**15) == count
    assert parse_count(f"{count:_}", "--games", 10**15) == count
    digits = str(count)
    assert parse_count(f"{digits[0]}.{digits[1:] or 0}e{len(digits) - 1}", "--games", 10**15) == count


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_a_manifest_is_read_back(data: st.DataObject) -> None:
    drawn = {option.name: data.draw(st.sampled_from(_values(option)), option.name) for option in BANK.rules}
    try:
        run = planned_run("bank", data.draw(st.integers(1, 10**15)), drawn, seed=data.draw(st.integers(0, 2**63 - 1)))
    except InputError:
        return
    text = run.manifest.to_json()
    assert parse_manifest(text, "here") == run.manifest
    assert parse_manifest(text, "here").to_json() == text


def _values(option: Any) -> list[Any]:
    return list(option.all_values()) if "…" not in option.allowed else [option.low, option.default, option.high]


def test_no_parser_touches_the_disk_or_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that look like paths or addresses are names, until a run is opened there."""

    def touched(*arguments: Any, **more: Any) -> Any:
        raise AssertionError(f"touched {arguments}")

    monkeypatch.setattr(os, "open", touched)
    monkeypatch.setattr(Path, "open", touched)
    monkeypatch.setattr("socket.socket.connect", touched)
    for name in ("bot", "setting", "count", "indices", "game", "manifest", "until", "where"):
        for text in (
            "/etc/passwd",
            "../../x",
            "http://example.org/x",
            "s3://bucket/x",
            "$(touch x)",
            "__import__('os')",
        ):
            with pytest.raises(InputError):
                PARSERS[name][1](text)
