"""The items that a report can hold. A further sort of item is a further subclass of `reports.parts.Item`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.study import Section
from reports.charts import exact_table
from reports.commands import run_name
from reports.method import method
from reports.more_tables import quantiles_table, seats_table
from reports.parts import Fact, Gloss, Item, Picture, SampleGame, Sentence, Table
from reports.pictures import pictures
from reports.samples import games_note, sample_games
from reports.sentences import answer
from reports.tables import differences_table, full_table, headline_table, variants_table
from reports.view import View
from simcore.batch import Run

__all__ = ["Item", "RunItem"]


@dataclass(frozen=True)
class RunItem(Item):
    """A run and what it says.

    Parameters
    ----------
    section : Section or None
        The part of a study that it comes from: gives title, question and name.
    run : Run
    baseline : str
        Label or number of the variant that the others are compared to.
    metrics : tuple of str
        Shown first; the game's headline metrics if empty.
    """

    section: Section | None
    run: Run
    baseline: str
    metrics: tuple[str, ...]

    @cached_property
    def view(self) -> View:
        return View(self.run, self.baseline, self.metrics, self.section.id if self.section else "")

    @property
    def id(self) -> str:
        return self.section.id if self.section else "run"

    @property
    def title(self) -> str:
        if self.section:
            return self.section.title
        name = run_name(self.run)
        return self.run.game.title if name == self.run.game.name else f"{self.run.game.title}: {name}"

    @property
    def text(self) -> str:
        return self.section.text if self.section else ""

    def sentences(self) -> Sequence[Sentence]:
        return answer(self.view)

    def figures(self) -> Sequence[Picture]:
        return pictures(self.view)

    def tables(self) -> Sequence[Table]:
        made = [variants_table(self.view), headline_table(self.view)]
        if self.view.all_differences is not None:
            made.append(differences_table(self.view, self.view.all_differences))
        more = (exact_table(self.view), seats_table(self.view), quantiles_table(self.view))
        made += [table for table in more if table is not None]
        return [*made, full_table(self.view)]

    def games(self) -> Sequence[SampleGame]:
        return sample_games(self.view)

    def games_note(self) -> str:
        return games_note(self.view)

    def glosses(self) -> Sequence[Gloss]:
        return self.view.glosses()

    def method(self) -> Sequence[Fact]:
        return method(self.view)
