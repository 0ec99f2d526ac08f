"""The options of Bank, and what binds them together. `RULES.md` beside this file says what each does."""

from __future__ import annotations

from collections.abc import Mapping

from simcore.options import IntOption, RuleSet, Setting, Word, WordOption

PACK = 36

_OPTIONS = (
    IntOption("players", "variant", "number of players", 3, choices=(2, 3, 4)),
    WordOption(
        "trumps",
        "variant",
        "which suits are trumps, and for whom",
        "own",
        words=(
            Word("own", "each player has a trump suit of his own", "1"),
            Word("none", "there are no trumps", "2"),
            Word("one", "spades are trumps for all", "3"),
            Word("two", "spades and diamonds are trumps for all, equal in standing", "4"),
            Word("ranked", "spades are senior trumps, diamonds junior ones", "5"),
        ),
    ),
    WordOption(
        "seven",
        "variant",
        "what the player after a seven does",
        "skip",
        words=(
            Word("skip", "loses the turn", "1"),
            Word("draw_play", "draws a card, then plays", "2"),
            Word("draw_skip", "draws a card and loses the turn", "3"),
            Word("nothing", "plays as usual", "4"),
        ),
    ),
    WordOption(
        "penalty",
        "variant",
        "what a player still holding cards at the end of a round loses",
        "hand",
        words=(
            Word("none", "nothing"),
            Word("hand", "the points in hand", "1"),
            Word("hand_fixed", "the points in hand and a fixed sum", "2a"),
            Word("hand_per_card", "the points in hand and a sum for each card", "2b"),
            Word("fixed", "a fixed sum"),
            Word("per_card", "a sum for each card"),
        ),
    ),
    IntOption("penalty_fixed", "variant", "the fixed sum of a penalty", 31, choices=(15, 23, 31, 40, 48, 56)),
    IntOption("penalty_card", "variant", "the sum of a penalty for each card", 3, choices=(3, 6)),
    WordOption(
        "next_dealer",
        "variant",
        "who deals the next round",
        "loser",
        words=(
            Word("loser", "the lowest score of the round", "1"),
            Word("last_out", "the player left with cards (the most points in hand, then the most cards)", "2"),
            Word("starter", "the player who began the round", "3"),
            Word("leader", "the highest total", "4"),
            Word("trailer", "the lowest total", "5"),
        ),
    ),
    IntOption("target", "variant", "points that end the game", 248, low=1, high=1000),
    IntOption("hand_size", "ruling", "cards dealt to each player", 4, low=1, high=8),
    WordOption(
        "cover",
        "ruling",
        "which lower cards of the same suit cover",
        "one_lower",
        words=(Word("one_lower", "only the next lower one"), Word("any_lower", "every lower one")),
    ),
    WordOption(
        "run_suits",
        "ruling",
        "must the four consecutive cards of a run share a suit?",
        "any",
        words=(Word("any", "no, any suits"), Word("same", "yes, one suit")),
    ),
    WordOption(
        "extra_move",
        "ruling",
        "a player who owes an extra move and has none",
        "if_able",
        words=(
            Word("if_able", "ends the turn"),
            Word("draw", "first draws a card, and lays with it if possible"),
        ),
    ),
    WordOption(
        "kings_cover",
        "ruling",
        "who takes the bank by covering four kings laid in one move",
        "anyone",
        words=(
            Word("anyone", "whoever covers them, their layer too"),
            Word("opponent", "only another player"),
        ),
    ),
    WordOption(
        "opening_card",
        "ruling",
        "who owns the card turned up at the start",
        "dealer",
        words=(Word("dealer", "the dealer"), Word("nobody", "nobody")),
    ),
    WordOption(
        "first_move",
        "ruling",
        "who moves first",
        "nearest",
        words=(
            Word(
                "nearest",
                "the holder of the nearest lower card of the opening card's suit, else the nearest higher",
            ),
            Word("left", "the first holder of a lower one, from the dealer's left, else of a higher one"),
            Word("dealer_left", "the player at the dealer's left, whatever the cards"),
        ),
    ),
    WordOption(
        "penalty_on",
        "ruling",
        "who pays the penalty",
        "holders",
        words=(
            Word("holders", "everyone still holding cards"),
            Word("loser", "of them only the one left worst off"),
        ),
    ),
    WordOption(
        "must_play",
        "ruling",
        "must a player who can lay a card do so?",
        "yes",
        words=(Word("yes", "yes"), Word("no", "no, he may draw, or decline, instead")),
    ),
    WordOption(
        "final_bank",
        "ruling",
        "who gets a bank that still lies there when the round ends",
        "nobody",
        words=(Word("nobody", "nobody"), Word("last_cover", "the owner of its top card")),
    ),
    IntOption(
        "max_rounds",
        "ruling",
        "rounds after which an undecided game is stopped (capped)",
        200,
        low=1,
        high=10_000,
    ),
)


def _conflicts(values: Mapping[str, Setting]) -> str | None:
    needed = int(values["players"]) * int(values["hand_size"]) + 1
    if needed <= PACK:
        return None
    return (
        f"players={values['players']} with hand_size={values['hand_size']} needs {needed} cards"
        f" (players · hand_size + 1), and the pack has {PACK}"
    )


def _inert(values: Mapping[str, Setting]) -> dict[str, str]:
    penalty = values["penalty"]
    reasons = {}
    if penalty not in ("fixed", "hand_fixed"):
        reasons["penalty_fixed"] = f"penalty={penalty} takes no fixed sum; it needs penalty=fixed or hand_fixed"
    if penalty not in ("per_card", "hand_per_card"):
        reasons["penalty_card"] = f"penalty={penalty} takes no sum per card; it needs penalty=per_card or hand_per_card"
    if penalty == "none":
        reasons["penalty_on"] = "penalty=none leaves nothing to pay"
    return reasons


RULES = RuleSet("bank", _OPTIONS, _conflicts, _inert)
