"""A small language for conditions on games: names of numbers, arithmetic, comparisons, and / or / not.

::

    condition  = conjunction, { "or", conjunction } ;
    conjunction = negation, { "and", negation } ;
    negation   = "not", negation | comparison ;
    comparison = sum, { ( "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" ), sum } ;      (a < b < c means both)
    sum        = product, { ( "+" | "-" ), product } ;
    product    = factor, { ( "*" | "/" ), factor } ;
    factor     = "-", factor | number | name | "abs", "(", sum, ")" | "(", condition, ")" ;

Words may be written in capitals. It is read by a parser of its own into numpy operations; nothing is evaluated as Python.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from simcore.errors import InputError, printable

Column = NDArray[Any]
Columns = Mapping[str, Column]
Kind = Literal["number", "condition"]

MOST_CHARACTERS = 2000
DEEPEST = 50

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[0-9]+)?)"
    r"|(?P<sign><=|>=|==|!=|[-+*/()<>=]))"
)
_WORDS = ("and", "or", "not", "abs")
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": np.true_divide,
}


@dataclass(frozen=True)
class Expression:
    """A parsed expression.

    Attributes
    ----------
    text : str
        As it was written.
    kind : {"number", "condition"}
    names : tuple of str
        The names in it, in order, each once.
    evaluate : callable
        Columns by name (all of one length) -> one column: float64, or bool for a condition. A number that does not exist
        (a division by 0) is nan, and no comparison with it holds.
    """

    text: str
    kind: Kind
    names: tuple[str, ...]
    evaluate: Callable[[Columns], Column]


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    at: int


@dataclass(frozen=True)
class _Node:
    kind: Kind
    at: int
    run: Callable[[Columns], Any]


def parse(text: str, what: str, kind: Kind) -> Expression:
    """Read an expression.

    Parameters
    ----------
    text : str
    what : str
        What it is called in messages: ``--where``.
    kind : {"number", "condition"}
        Which of the two is wanted.

    Raises
    ------
    InputError
        Naming the place and what is wrong with it.
    """
    reader = _Reader(text, what)
    node = reader.whole(kind)

    def evaluate(columns: Columns) -> Column:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(node.run(columns))

    return Expression(text, kind, tuple(dict.fromkeys(reader.names)), evaluate)


class _Reader:
    """A recursive descent over the tokens of one text."""

    def __init__(self, text: str, what: str) -> None:
        self.text, self.what = text, what
        self.names: list[str] = []
        if len(text) > MOST_CHARACTERS:
            raise InputError(f"{what}: {len(text)} characters are too many; at most {MOST_CHARACTERS}")
        self.tokens = self._split()
        self.at = 0
        self.depth = 0

    def error(self, message: str, at: int) -> InputError:
        """The error that names a place, and shows what stands before and after it."""
        before, after = self.text[max(0, at - 30) : at], self.text[at : at + 30]
        return InputError(f"{self.what}: column {at + 1}: {message}; here: {printable(before)}»{printable(after)}")

    def _split(self) -> list[_Token]:
        found, at = [], 0
        stripped = self.text.rstrip()
        while at < len(stripped):
            match = _TOKEN.match(stripped, at)
            if not match or not match.lastgroup:
                start = at + len(stripped[at:]) - len(stripped[at:].lstrip())
                allowed = "names, numbers, + - * / ( ) < <= > >= = != and or not abs"
                raise self.error(f"{stripped[start]!r} is not allowed; allowed: {allowed}", start)
            word = match[match.lastgroup]
            if match.lastgroup == "number" and float(word) == float("inf"):
                raise self.error(f"the number {word} is too large", match.start("number"))
            found.append(_Token(match.lastgroup, _lower(word), match.start(match.lastgroup)))
            at = match.end()
        return [*found, _Token("end", "", len(stripped))]

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> _Token | None:
        """The next token if it is one of `texts`, else None."""
        token = self.next
        if token.kind == "number" or token.text not in texts:
            return None
        self.at += 1
        return token

    def need(self, node: _Node, kind: Kind, where: str) -> _Node:
        if node.kind != kind:
            wanted, got = ("a number", "a condition") if kind == "number" else ("a condition", "a number")
            hint = "; compare it with something, as in turns > 100" if kind == "condition" else ""
            raise self.error(f"{where} needs {wanted} here, not {got}{hint}", node.at)
        return node

    def whole(self, kind: Kind) -> _Node:
        if self.next.kind == "end":
            raise self.error("it is empty; write a condition such as turns > 100", 0)
        node = self.need(self.condition(), kind, self.what)
        if self.next.kind != "end":
            raise self.error(f"expected the end, got {self.next.text!r}", self.next.at)
        return node

    def condition(self) -> _Node:
        return self._joined("or", np.logical_or, self.conjunction)

    def conjunction(self) -> _Node:
        return self._joined("and", np.logical_and, self.negation)

    def _joined(self, word: str, join: Callable[[Any, Any], Any], part: Callable[[], _Node]) -> _Node:
        node = part()
        while self.take(word):
            left = self.need(node, "condition", f"{word!r}")
            right = self.need(part(), "condition", f"{word!r}")
            node = _Node("condition", left.at, _apply(join, left, right))
        return node

    def negation(self) -> _Node:
        token = self.take("not")
        if not token:
            return self.comparison()
        with _Deeper(self, token):
            inner = self.need(self.negation(), "condition", "'not'")
        return _Node("condition", token.at, lambda columns: np.logical_not(inner.run(columns)))

    def comparison(self) -> _Node:
        left = self.sum()
        found: _Node | None = None
        while token := self.take(*_COMPARE):
            self.need(left, "number", f"{token.text!r}")
            right = self.need(self.sum(), "number", f"{token.text!r}")
            one = _Node("condition", left.at, _apply(_COMPARE[token.text], left, right))
            found = one if found is None else _Node("condition", found.at, _apply(np.logical_and, found, one))
            left = right
        return found or left

    def sum(self) -> _Node:
        return self._arithmetic(("+", "-"), self.product)

    def product(self) -> _Node:
        return self._arithmetic(("*", "/"), self.factor)

    def _arithmetic(self, signs: tuple[str, ...], part: Callable[[], _Node]) -> _Node:
        node = part()
        while token := self.take(*signs):
            left = self.need(node, "number", f"{token.text!r}")
            right = self.need(part(), "number", f"{token.text!r}")
            node = _Node("number", left.at, _apply(_ARITHMETIC[token.text], left, right))
        return node

    def factor(self) -> _Node:
        token = self.next
        self.at += token.kind != "end"
        if token.kind == "number":
            value = float(token.text)
            return _Node("number", token.at, lambda columns: value)
        with _Deeper(self, token):
            if token.text == "-":
                inner = self.need(self.factor(), "number", "'-'")
                return _Node("number", token.at, lambda columns: np.negative(inner.run(columns)))
            if token.text == "(":
                return self._closed(token)
            if token.text == "abs" and self.take("("):
                inner = self.need(self._closed(token), "number", "abs( )")
                return _Node("number", token.at, lambda columns: np.abs(inner.run(columns)))
        if token.kind == "name" and token.text not in _WORDS:
            return self._name(token)
        got = repr(token.text) if token.text else "the end"
        raise self.error(f"expected a number, a name or '(', got {got}", token.at)

    def _closed(self, opened: _Token) -> _Node:
        node = self.condition()
        if not self.take(")"):
            got = repr(self.next.text) if self.next.text else "the end"
            raise self.error(f"expected ')' for the '(' of column {opened.at + 1}, got {got}", self.next.at)
        return node

    def _name(self, token: _Token) -> _Node:
        self.names.append(token.text)
        return _Node("number", token.at, lambda columns: np.asarray(columns[token.text], dtype=np.float64))


def _lower(text: str) -> str:
    """A word of the language in small letters, in which it may be written or not; anything else as it is."""
    return text.lower() if text.lower() in _WORDS else text


class _Deeper:
    """Counts how deep a text is nested, so that a hostile one is refused and not run out of stack."""

    def __init__(self, reader: _Reader, token: _Token) -> None:
        self.reader, self.token = reader, token

    def __enter__(self) -> None:
        self.reader.depth += 1
        if self.reader.depth > DEEPEST:
            raise self.reader.error(f"nested deeper than {DEEPEST}", self.token.at)

    def __exit__(self, *_: object) -> None:
        self.reader.depth -= 1


def _apply(function: Callable[[Any, Any], Any], left: _Node, right: _Node) -> Callable[[Columns], Any]:
    return lambda columns: function(left.run(columns), right.run(columns))
