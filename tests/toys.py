"""A toy set of rules and bots with every kind of option, for tests of what does not depend on a game."""

from __future__ import annotations

from collections.abc import Mapping

from simcore.bots import Bot
from simcore.options import IntOption, RuleSet, Setting, Word, WordOption

COLOUR = WordOption(
    "colour",
    "variant",
    "what the cards are",
    "red",
    words=(Word("red", "like hearts", "1"), Word("black", "like spades", "2a"), Word("none", "no colour")),
)
SIZE = IntOption("size", "ruling", "cards dealt to each", 4, low=1, high=12)
FINE = IntOption("fine", "variant", "what a fine costs", 10, choices=(5, 10, 20))
GOAL = IntOption("goal", "variant", "points that end the game", 100, low=1, high=1000)
PLAYERS = IntOption("players", "variant", "number of players", 2, low=2, high=6)


def _conflicts(values: Mapping[str, Setting]) -> str | None:
    needed = int(values["players"]) * int(values["size"])
    return f"players · size is {needed}, and the pack has 36 cards" if needed > 36 else None


def _inert(values: Mapping[str, Setting]) -> dict[str, str]:
    return {"fine": "colour=none has no fines"} if values["colour"] == "none" else {}


RULES = RuleSet("toy", (PLAYERS, COLOUR, SIZE, FINE, GOAL), _conflicts, _inert)

BOTS = (
    Bot("random", "chooses evenly"),
    Bot(
        "stand",
        "stops at a number",
        params=(
            IntOption("at", "variant", "where it stops", 16, low=1, high=21),
            WordOption("stake", "variant", "how much", "half", words=(Word("half", "half"), Word("all", "all", "2"))),
        ),
    ),
)
