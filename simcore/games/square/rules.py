"""The options of Square, and what binds them together. `RULES.md` beside this file says what each does."""

from __future__ import annotations

from collections.abc import Mapping

from simcore.options import IntOption, RuleSet, Setting, Word, WordOption

PACK = 52

_YES_NO = (Word("yes", "yes"), Word("no", "no"))

_OPTIONS = (
    IntOption("players", "variant", "number of players; four play two against two", 2, choices=(2, 4)),
    WordOption(
        "match",
        "variant",
        "what decides a match",
        "target",
        words=(
            Word("deals", "the higher total after a fixed number of deals"),
            Word("target", "the first side to reach a number of points"),
        ),
    ),
    IntOption("deals", "variant", "the fixed number of deals", 8, low=1, high=100),
    IntOption("target", "variant", "points that end the match", 33, low=1, high=1000),
    IntOption("end_at", "variant", "points that one's square needs before one may end the deal", 5, low=1, high=16),
    IntOption("end_cost", "variant", "points paid for ending the deal", 1, low=0, high=16),
    WordOption(
        "excess",
        "variant",
        "points above end_at, for the side that ends",
        "double",
        words=(Word("double", "count twice"), Word("single", "count once, as all others")),
    ),
    IntOption("colour_points", "variant", "points for a line of one colour", 1, low=0, high=10),
    IntOption("suit_points", "variant", "points for a line of one suit", 2, low=0, high=10),
    IntOption("hand_size", "ruling", "cards dealt to each player", 8, low=4, high=12),
    WordOption(
        "layout",
        "ruling",
        "where the ranks lie in the square",
        "natural",
        words=(Word("natural", "A 2 3 / 4 5 6 / 7 8 9"), Word("magic", "4 9 2 / 3 5 7 / 8 A 6")),
    ),
    WordOption(
        "draw",
        "ruling",
        "when the card is drawn",
        "before",
        words=(Word("before", "at the start of a turn"), Word("after", "at the end of a turn")),
    ),
    WordOption(
        "gifts",
        "ruling",
        "may number cards and jacks be laid in the opponents' square?",
        "yes",
        words=_YES_NO,
    ),
    WordOption(
        "exhaust_excess",
        "ruling",
        "do points above end_at count twice when the pack ran out?",
        "no",
        words=(Word("no", "no"), Word("yes", "yes, for both sides, whatever excess says")),
    ),
    WordOption(
        "consult",
        "ruling",
        "four players: does ending need the partner's consent?",
        "veto",
        words=(
            Word("veto", "yes, and a refusal binds the asker for the deal"),
            Word("free", "no, each player may end alone"),
        ),
    ),
    WordOption(
        "first",
        "ruling",
        "who begins a deal",
        "left",
        words=(Word("left", "the dealer's left neighbour"), Word("dealer", "the dealer")),
    ),
    IntOption(
        "max_deals",
        "ruling",
        "deals after which an undecided match is stopped (capped)",
        200,
        low=1,
        high=10_000,
    ),
)


def _inert(values: Mapping[str, Setting]) -> dict[str, str]:
    reasons = {}
    if values["match"] == "target":
        reasons["deals"] = "match=target goes on until a side has the target; it needs match=deals"
    else:
        reasons["target"] = "match=deals stops after a fixed number of deals; it needs match=target"
        if int(values["deals"]) <= int(values["max_deals"]):
            reasons["max_deals"] = f"match=deals is decided after {values['deals']} deals, before any cap"
    if values["players"] == 2:
        reasons["consult"] = "with players=2 there is no partner to ask"
    most = 8 * max(int(values["colour_points"]), int(values["suit_points"]))
    if most < int(values["end_at"]):
        why = f"no square can be worth end_at={values['end_at']}: eight lines make at most {most} points"
        reasons |= dict.fromkeys(("end_cost", "excess", "exhaust_excess", "consult"), why)
    return reasons


RULES = RuleSet("square", _OPTIONS, inert=_inert)
