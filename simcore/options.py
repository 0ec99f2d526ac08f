"""Options of a game: each declared once, and read from here by the command line, the kernels, the docs and the reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simcore.errors import InputError, unknown

Setting = str | int
Kind = Literal["variant", "ruling"]
_INT = re.compile(r"[+-]?[0-9]{1,18}\Z")
_RANGE = re.compile(r"([0-9]{1,9})\.\.([0-9]{1,9})(?:\.\.([0-9]{1,9}))?\Z")
_MAX_LISTED = 10_000


@dataclass(frozen=True)
class Word:
    """One value of a `WordOption`: the word, one line of meaning, and the number that the source text gives it."""

    word: str
    meaning: str
    seed_no: str | None = None


@dataclass(frozen=True)
class Option:
    """What the two kinds of option share.

    Parameters
    ----------
    name : str
        As written on the command line.
    kind : {"variant", "ruling"}
        A choice that the source text offers, or our reading of a place where it is silent.
    meaning : str
        One line.
    default : str or int
    """

    name: str
    kind: Kind
    meaning: str
    default: Setting

    @property
    def allowed(self) -> str:
        """The values in words, for messages and tables."""
        raise NotImplementedError

    def parse(self, text: Setting) -> Setting:
        """Return the value that `text` names; raise `InputError` if there is none."""
        raise NotImplementedError

    def all_values(self) -> tuple[Setting, ...]:
        """Every value, for ``--vary name``; raise `InputError` if they are too many to run."""
        raise NotImplementedError

    def encode(self, value: Setting) -> int:
        """The kernel's integer for a value."""
        raise NotImplementedError

    def meaning_of(self, value: Setting) -> str:
        """One line on a value; empty where the number says it all."""
        return ""

    def refuse(self, text: Setting) -> InputError:
        """Build the error for a value that the option does not take."""
        return InputError(f"option {self.name!r}: {str(text)!r} is not allowed; allowed: {self.allowed}")


@dataclass(frozen=True)
class WordOption(Option):
    """An option whose values are words; the kernel sees a word's position."""

    words: tuple[Word, ...] = ()

    @property
    def allowed(self) -> str:
        return ", ".join(w.word + (f" ({w.seed_no})" if w.seed_no else "") for w in self.words)

    def parse(self, text: Setting) -> Setting:
        given = str(text).strip()
        for word in self.words:
            if given in (word.word, word.seed_no):
                return word.word
        names = [w.word for w in self.words]
        raise InputError(str(unknown(f"value of option {self.name!r}:", given, names)) + self._numbers())

    def _numbers(self) -> str:
        numbered = [f"{w.seed_no} = {w.word}" for w in self.words if w.seed_no]
        return f" (by number: {', '.join(numbered)})" if numbered else ""

    def all_values(self) -> tuple[Setting, ...]:
        return tuple(w.word for w in self.words)

    def encode(self, value: Setting) -> int:
        return [w.word for w in self.words].index(str(value))

    def meaning_of(self, value: Setting) -> str:
        return next(w.meaning for w in self.words if w.word == value)


@dataclass(frozen=True)
class IntOption(Option):
    """An option whose values are whole numbers: a list, or a range with both ends included."""

    choices: tuple[int, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def allowed(self) -> str:
        return ", ".join(map(str, self.choices)) if self.choices else f"{self.low} … {self.high}"

    def parse(self, text: Setting) -> Setting:
        given = str(text).strip()
        if isinstance(text, bool) or not _INT.match(given):
            raise self.refuse(text)
        value = int(given)
        if value not in self.choices and (self.choices or not self.low <= value <= self.high):
            raise self.refuse(text)
        return value

    def all_values(self) -> tuple[Setting, ...]:
        if self.choices:
            return self.choices
        if self.high - self.low > 20:
            raise InputError(
                f"option {self.name!r} has {self.high - self.low + 1} values; name some: "
                f"{self.name}={self.low},{self.default} or {self.name}={self.low}..{self.low + 4}"
            )
        return tuple(range(self.low, self.high + 1))

    def encode(self, value: Setting) -> int:
        return int(value)


@dataclass(frozen=True)
class RuleSet:
    """All options of one game, with what binds them together.

    Parameters
    ----------
    game : str
        Name of the game, for messages.
    options : sequence of Option
    conflicts : callable
        Takes a mapping of all values; returns a message if they cannot stand together, else None.
    inert : callable
        Takes a mapping of all values; returns, for each option that has no effect beside the others, the reason.
    """

    game: str
    options: tuple[Option, ...]
    conflicts: Callable[[Mapping[str, Setting]], str | None] = field(default=lambda values: None)
    inert: Callable[[Mapping[str, Setting]], dict[str, str]] = field(default=lambda values: {})

    @cached_property
    def by_name(self) -> dict[str, Option]:
        return {option.name: option for option in self.options}

    def __getitem__(self, name: str) -> Option:
        try:
            return self.by_name[name]
        except KeyError:
            raise unknown(f"option of {self.game}", name, self.by_name) from None

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    def rules(self, settings: Mapping[str, Setting] | None = None) -> Rules:
        """Complete `settings` with the defaults.

        Raises
        ------
        InputError
            For an unknown option, a value that is not allowed, or an impossible combination.
        """
        values = {option.name: option.default for option in self.options}
        for name, text in (settings or {}).items():
            values[name] = self[name].parse(text)
        problem = self.conflicts(values)
        if problem:
            raise InputError(f"{self.game}: impossible combination: {problem}")
        return Rules(self, tuple(values.items()))

    def parse_values(self, name: str, text: str | None) -> tuple[Setting, ...]:
        """Read the values of a ``--vary``: all (None), some (``a,b``), or numbers (``1..9``, ``1..9..2``)."""
        option = self[name]
        if text is None:
            return option.all_values()
        found: dict[Setting, None] = {}
        for part in text.split(","):
            for value in map(option.parse, _expand(option, part.strip())):
                if value in found:
                    raise InputError(f"option {name!r}: value {str(value)!r} is named twice")
                found[value] = None
        return tuple(found)


def _expand(option: Option, part: str) -> Sequence[Setting]:
    match = _RANGE.match(part)
    if not match or isinstance(option, WordOption):
        return (part,)
    low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
    if high < low or step < 1:
        raise InputError(f"option {option.name!r}: the range {part!r} is empty; write low..high or low..high..step")
    option.parse(low)
    option.parse(high)
    if (high - low) // step >= _MAX_LISTED:
        raise InputError(f"option {option.name!r}: the range {part!r} has more than {_MAX_LISTED} values")
    return tuple(range(low, high + 1, step))


@dataclass(frozen=True)
class Rules(Mapping[str, Setting]):
    """One variant of a game's rules: a value for every option. Made by `RuleSet.rules`."""

    ruleset: RuleSet = field(repr=False, compare=False)
    items_: tuple[tuple[str, Setting], ...]

    @cached_property
    def values_(self) -> dict[str, Setting]:
        return dict(self.items_)

    def __getitem__(self, name: str) -> Setting:
        return self.values_[self.ruleset[name].name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.items_)

    def __hash__(self) -> int:
        return hash(self.items_)

    @property
    def players(self) -> int:
        return int(self.values_["players"]) if "players" in self.values_ else 2

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The kernel's view: one integer an option, in the order of the declarations; shape (options,)."""
        codes = [self.ruleset[name].encode(value) for name, value in self.items_]
        return np.array(codes, dtype=np.int64)

    def changes(self) -> dict[str, Setting]:
        """The options that differ from their defaults."""
        return {name: v for name, v in self.items_ if v != self.ruleset[name].default}

    def with_(self, settings: Mapping[str, Setting]) -> Rules:
        """The same rules with some options changed."""
        return self.ruleset.rules({**self.values_, **settings})

    def effective(self) -> Rules:
        """The same game with options that have no effect set to their defaults; equal rules play equal games."""
        inert = self.ruleset.inert(self.values_)
        defaults = {name: self.ruleset[name].default for name in inert}
        return self.with_(defaults) if inert else self

    def label(self) -> str:
        """How the rules differ from the defaults, in words: ``trumps=none, seven=nothing``, or ``default``."""
        return ", ".join(f"{name}={value}" for name, value in self.changes().items()) or "default"


def parse_assignment(text: str) -> tuple[str, str]:
    """Split ``name=value``; raise `InputError` if it is not of that form."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise InputError(f"{text!r} is not of the form option=value")
    return name.strip(), value.strip()
