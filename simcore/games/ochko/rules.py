"""The options of Ochko, and what binds them together. `RULES.md` beside this file says what each does."""

from __future__ import annotations

from collections.abc import Mapping

from simcore.options import IntOption, RuleSet, Setting, Word, WordOption

_YES_NO = (Word("yes", "yes"), Word("no", "no"))

_OPTIONS = (
    IntOption("players", "variant", "number of players, the banker included", 4, low=2, high=10),
    IntOption("deck", "variant", "cards in the pack: 7 … A, 6 … A or 2 … A", 36, choices=(32, 36, 52)),
    WordOption(
        "ace",
        "variant",
        "what an ace counts",
        "eleven",
        words=(
            Word("one", "1"),
            Word("eleven", "11"),
            Word("either", "11 or 1: the best total not above 21"),
        ),
    ),
    IntOption(
        "stuk",
        "variant",
        "the bank, in multiples of the banker's stake, at which the stuk is called; 0: never",
        3,
        choices=(0, *range(2, 11)),
    ),
    WordOption("blind", "variant", "may a punter draw his last card unseen?", "yes", words=_YES_NO),
    IntOption("bank", "variant", "the banker's stake", 10, low=1, high=1000),
    WordOption(
        "duel",
        "ruling",
        "how the banker plays",
        "each",
        words=(
            Word("each", "a fresh hand against each punter in turn"),
            Word("common", "one hand against all, at the end"),
        ),
    ),
    WordOption(
        "banker_card",
        "ruling",
        "is the banker's first card shown?",
        "open",
        words=(Word("open", "yes"), Word("closed", "no")),
    ),
    WordOption(
        "marker",
        "ruling",
        "is the bottom card turned up on top of the pack, out of play until the next shuffle?",
        "yes",
        words=_YES_NO,
    ),
    WordOption(
        "tie",
        "ruling",
        "who wins at equal totals",
        "banker",
        words=(Word("banker", "the banker"), Word("push", "nobody, the stake goes back")),
    ),
    WordOption(
        "both_bust",
        "ruling",
        "who wins when a punter is bust through his blind card and the banker busts too",
        "banker",
        words=(Word("banker", "the banker"), Word("push", "nobody, the stake goes back")),
    ),
    IntOption("hidden_bust", "variant", "stakes that a concealed bust costs", 2, low=1, high=4),
    WordOption(
        "two_aces",
        "ruling",
        "what two aces count as the first two cards",
        "sum",
        words=(Word("sum", "their sum"), Word("twenty_one", "21")),
    ),
    IntOption("orbits", "ruling", "times that every seat banks in one game", 1, low=1, high=100),
    IntOption(
        "max_circles",
        "ruling",
        "circles after which a session is stopped (capped), the banker taking the bank",
        200,
        low=1,
        high=10_000,
    ),
)


def _inert(values: Mapping[str, Setting]) -> dict[str, str]:
    reasons = {}
    if values["blind"] == "no":
        reasons["both_bust"] = "blind=no leaves no punter to bust unseen"
    if values["players"] == 2:
        reasons["duel"] = "players=2 leaves one punter to play against"
    return reasons


RULES = RuleSet("ochko", _OPTIONS, inert=_inert)
