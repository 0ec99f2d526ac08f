"""A game's declarations as text: options, bots, counts, metrics. The docs are made from the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcore.games import GAMES, find_game
from simcore.games.base import Game
from simcore.metrics import Metric
from simcore.options import Option, WordOption


def option_table(game: Game) -> str:
    """The options as a Markdown table."""
    lines = ["| option | kind | values (number in the source) | default | meaning |", "|---|---|---|---|---|"]
    lines += [
        f"| `{option.name}` | {option.kind} | {option.allowed} | `{option.default}` | {_meaning(option)} |"
        for option in game.rules
    ]
    return "\n".join(lines) + "\n"


def _meaning(option: Option) -> str:
    if not isinstance(option, WordOption):
        return option.meaning
    return option.meaning + ": " + "; ".join(f"`{word.word}` {word.meaning}" for word in option.words)


def metric_table(game: Game) -> str:
    """The metrics as a Markdown table."""
    lines = ["| metric | level | unit | meaning | formula |", "|---|---|---|---|---|"]
    lines += [f"| `{_name(m)}` | {m.level} | {m.unit} | {m.meaning} | `{m.formula}` |" for m in game.metrics]
    return "\n".join(lines) + "\n"


def _name(metric: Metric) -> str:
    return f"{metric.name}.{metric.by}" if metric.by else metric.name


def bot_table(game: Game) -> str:
    """The bots as a Markdown table."""
    lines = ["| bot | meaning | parameters |", "|---|---|---|"]
    for bot in game.bots:
        params = "; ".join(f"`{p.name}` ({p.allowed}; default {p.default}): {p.meaning}" for p in bot.params)
        lines.append(f"| `{bot.name}` | {bot.meaning} | {params} |")
    return "\n".join(lines) + "\n"


def game_records() -> list[dict[str, str]]:
    """The games, a record each."""
    return [
        {"game": name, "summary": game.summary, "bots": ", ".join(bot.name for bot in game.bots)}
        for name, game in ((name, find_game(name)) for name in GAMES)
    ]


def records(game: Game) -> list[dict[str, str]]:
    """All declarations of a game, a record each: options, bots, their parameters, metrics."""
    made = [_record(o.kind, o.name, _meaning(o), default=str(o.default), values=o.allowed) for o in game.rules]
    for bot in game.bots:
        made.append(_record("bot", bot.name, bot.meaning))
        made += [
            _record("parameter", f"{bot.name}({p.name})", p.meaning, default=str(p.default), values=p.allowed)
            for p in bot.params
        ]
    made += [
        _record("metric", _name(m), m.meaning, unit=m.unit, level=m.level, formula=m.formula) for m in game.metrics
    ]
    return made


def _record(what: str, name: str, meaning: str, **more: str) -> dict[str, str]:
    blank = dict.fromkeys(("default", "values", "unit", "level", "formula"), "")
    return {"what": what, "name": name, "meaning": meaning.replace("`", ""), **blank, **more}


def describe(game: Game) -> str:
    """All of it as lines for a terminal."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: Game) -> Iterator[str]:
    yield f"{game.title}: {game.summary}"
    for kind, heading in (("variant", "variants (the text's choices)"), ("ruling", "rulings (our readings)")):
        yield f"\n{heading}"
        for option in game.rules:
            if option.kind == kind:
                yield from _option_lines(option)
    yield "\nbots"
    for bot in game.bots:
        yield f"  {bot.name}: {bot.meaning}"
        yield from (f"    {p.name}={p.default}: {p.meaning} ({p.allowed})" for p in bot.params)
    yield "\nmetrics"
    yield from _columns([(_name(m), f"{m.meaning} [{m.unit}]") for m in game.metrics])


def _option_lines(option: Option) -> Iterator[str]:
    yield f"  {option.name}={option.default}: {option.meaning}"
    if not isinstance(option, WordOption):
        yield f"    {option.allowed}"
        return
    words = [(f"{w.word} ({w.seed_no})" if w.seed_no else w.word, w.meaning) for w in option.words]
    yield from ("  " + line for line in _columns(words))


def _columns(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    width = max(len(left) for left, _ in pairs)
    return (f"  {left:<{width}}  {right}" for left, right in pairs)
