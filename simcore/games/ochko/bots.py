"""The bots of Ochko and their parameters. The kernel's session plays them; `basic` reads its charts from `plan.py`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from simcore.bots import Bot
from simcore.games.ochko.state import FULL_BANK, GOAL
from simcore.options import IntOption, Option, Setting

RANDOM, THRESHOLD, BASIC = range(3)

MIN, HALF, ALL, BEST, FLAT = range(5)
"""Codes of stake policies; `FLAT` + n for a flat stake of n."""
NEVER = GOAL + 1
CERTAIN = 1 << 32
"""The code of probability 1."""

_FLAT = re.compile(r"flat:([0-9]{1,10})\Z")
_SHARE = re.compile(r"(0(\.[0-9]{1,9})?|1(\.0{1,9})?|\.[0-9]{1,9})\Z")


@dataclass(frozen=True)
class StakeOption(Option):
    """A stake policy: one of some words, or ``flat:N``."""

    words: tuple[str, ...] = ("min", "half", "all")

    @property
    def allowed(self) -> str:
        return f"{', '.join(self.words)}, flat:N with N in 1 … {FULL_BANK}"

    def parse(self, text: Setting) -> Setting:
        given = str(text).strip()
        match = _FLAT.match(given)
        if given in self.words:
            return given
        if match and 1 <= int(match[1]) <= FULL_BANK:
            return f"flat:{int(match[1])}"
        raise self.refuse(text)

    def all_values(self) -> tuple[Setting, ...]:
        return self.words

    def encode(self, value: Setting) -> int:
        if str(value).startswith("flat:"):
            return FLAT + int(str(value)[5:])
        return {"min": MIN, "half": HALF, "all": ALL, "best": BEST}[str(value)]


@dataclass(frozen=True)
class TotalOption(Option):
    """A total, or a word that stands for none."""

    word: str = ""
    word_code: int = 0
    low: int = 2
    high: int = GOAL

    @property
    def allowed(self) -> str:
        return f"{self.word}, {self.low} … {self.high}"

    def parse(self, text: Setting) -> Setting:
        given = str(text).strip()
        if given == self.word:
            return given
        if re.fullmatch("[0-9]{1,3}", given) and self.low <= int(given) <= self.high:
            return int(given)
        raise self.refuse(text)

    def all_values(self) -> tuple[Setting, ...]:
        return (self.word, *range(self.low, self.high + 1))

    def encode(self, value: Setting) -> int:
        return self.word_code if value == self.word else int(value)


@dataclass(frozen=True)
class ShareOption(Option):
    """A probability, kept as it is written; the kernel sees it in 2^-32."""

    @property
    def allowed(self) -> str:
        return "0 … 1, with up to nine decimals"

    def parse(self, text: Setting) -> Setting:
        given = str(text).strip()
        if isinstance(text, bool) or not _SHARE.match(given):
            raise self.refuse(text)
        return f"{float(given):.9f}".rstrip("0").rstrip(".")

    def all_values(self) -> tuple[Setting, ...]:
        return ("0", "0.25", "0.5", "0.75", "1")

    def encode(self, value: Setting) -> int:
        return round(float(value) * CERTAIN)


BOTS = (
    Bot("random", "a stake, and a choice among the allowed actions, each as likely as the next; never conceals"),
    Bot(
        "threshold",
        "draws while the total is below a number",
        (
            IntOption("stand", "variant", "as a punter, stops at this total", 16, low=2, high=GOAL),
            IntOption("bank_stand", "variant", "as the banker, stops at this total", 17, low=2, high=GOAL),
            StakeOption("stake", "variant", "what is staked: 1, half of the bank, all of it, or N", "half"),
            TotalOption(
                "blind_from",
                "variant",
                "draws blind at this total or above, while below stand",
                "never",
                "never",
                NEVER,
                high=GOAL - 1,
            ),
            ShareOption("conceal", "variant", "probability of concealing a bust", "0"),
        ),
    ),
    Bot(
        "basic",
        "the exact best response to each banker's policy: a chart, and the stake that goes with it",
        (
            StakeOption(
                "stake",
                "variant",
                "what is staked; best: all where the first cards promise a gain, else 1",
                "best",
                words=("best", "min", "half", "all"),
            ),
        ),
    ),
)
