"""The documents: whole, escaped, small, and with links that lead somewhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from report_cases import HOSTILE, section, single, trumps, write_trumps

from analysis.tables import summary
from reports.commands import play_command
from reports.document import write_report
from reports.embed import decode, encode, pack, packed_json, unpack
from reports.items import RunItem
from reports.numbers import NARROW
from reports.parts import words
from reports.samples import sample_games, shortened
from reports.view import View
from simcore import InputError, RunError, simulate
from simcore.replay import replay_variant


class Page(HTMLParser):
    """Collects what a page holds: tags, ids, links, and the text of each table's rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found["href"] or ""] if "href" in found and tag == "a" else []
        self.sources += [v or "" for k, v in attrs if k in ("src", "srcset", "data", "action", "poster")]


def unpacked(text: str) -> str:
    """All that a page keeps packed: the rows of its long tables."""
    return "".join(unpack(packed) for packed in re.findall(r'data-packed="([^"]*)"', text))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_trumps(tmp_path_factory.mktemp("report"))


def test_the_page_stands_alone(page: Path) -> None:
    text = page.read_text()
    found = Page(text)
    assert found.sources == []
    assert "link" not in found.tags
    assert "://" not in re.sub(r"http://www\.w3\.org/[0-9a-z/]+", "", text)
    assert len(found.ids) == len(set(found.ids))
    assert all(link[1:] in found.ids for link in found.links if link.startswith("#"))
    assert all(link.startswith("#") for link in found.links)
    assert found.tags.count("h1") == 1


def test_the_answer_comes_first_with_the_numbers_of_the_tables(page: Path) -> None:
    text = page.read_text()
    answer = text[text.index('id="answer"') : text.index('class="chapter"')]
    row = summary(trumps(), ["round_win_share.0"]).iloc[0]
    assert f"{100 * row['value']:.1f}"[:4] in answer
    assert "the first player wins" in answer
    assert "a game lasts" in answer
    assert text.index('id="answer"') < text.index("<table") < text.index("<svg") < text.index('class="method"')


def test_the_table_holds_the_unrounded_numbers(page: Path) -> None:
    values = set(re.findall(r'data-value="([^"]*)"', unpacked(page.read_text())))
    for value in summary(trumps())["value"].dropna():
        assert repr(float(value)) in values


def test_the_method_box_tells_all_that_is_needed_to_do_it_again(page: Path) -> None:
    text = page.read_text()
    m = trumps().manifest
    for fact in (m.code, m.digest, m.kozyr, "in 20 shards of 40", "holm over", "common random numbers", "Capped games"):
        assert fact in text
    assert "kozyr simulate bank --vary trumps=own,none,ranked --bots random --games 800 --seed 11" in text


def test_hostile_words_stay_words(page: Path, tmp_path: Path) -> None:
    text = write_trumps(tmp_path, HOSTILE, HOSTILE).read_text()
    plain, found = Page(page.read_text()), Page(text)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert found.tags.count("script") == plain.tags.count("script")
    assert found.tags.count("style") == plain.tags.count("style")
    assert not any("javascript:" in link for link in found.links)
    assert "<script" not in unpacked(text)
    markdown = (tmp_path / "report.md").read_text()
    assert "<script>" not in markdown.replace("\\<script\\>", "")
    assert "[link](javascript" not in markdown


def test_hostile_labels_of_a_run_stay_words(tmp_path: Path) -> None:
    run = simulate("bank", 100, vary={"seven": ["skip", "nothing"]}, bots="random", seed=2)
    variants = tuple(v.__class__(HOSTILE + v.label, v.rules, v.table) for v in run.manifest.variants)
    run.manifest = run.manifest.__class__(**{**vars(run.manifest), "variants": variants, "command": HOSTILE})
    page = write_report("Labels", "", [RunItem(None, run, "1", ())], tmp_path)[0]
    text = page.read_text()
    rows = unpacked(text)
    for part in (text, rows):
        assert "<script>alert" not in part
        assert "&lt;script&gt;alert(1)" in part
    assert set(Page(rows).tags) <= {"tr", "th", "td", "a", "code", "small"}
    for svg in (tmp_path / "files").glob("*.svg"):
        assert "<script>" not in svg.read_text()


def test_markdown_links_lead_to_files(page: Path) -> None:
    text = page.with_suffix(".md").read_text()
    links = re.findall(r"\]\((files/[^)]+)\)", text)
    assert len(links) > 20
    for link in links:
        assert (page.parent / link).is_file(), link
    assert text.count("![") == len(list((page.parent / "files").glob("*.svg")))


def test_csv_files_hold_the_frames(page: Path) -> None:
    frame = pd.read_csv(page.parent / "files" / "case-all.csv")
    expected = summary(trumps())
    assert len(frame) == len(expected)
    assert frame["value"].to_numpy() == pytest.approx(expected["value"].to_numpy(), nan_ok=True)
    assert frame["metric"].tolist() == expected["metric"].tolist()


def test_the_same_run_gives_the_same_bytes(page: Path, tmp_path: Path) -> None:
    again = write_trumps(tmp_path)
    assert again.read_bytes() == page.read_bytes()
    for path in sorted((page.parent / "files").iterdir()):
        assert (tmp_path / "files" / path.name).read_bytes() == path.read_bytes()


def test_bitmaps_are_written_if_asked(tmp_path: Path) -> None:
    write_report("One", "", [RunItem(None, single(), "1", ("rounds",))], tmp_path, ("png",))
    svg, png = (sorted(p.stem for p in (tmp_path / "files").glob(f"*.{kind}")) for kind in ("svg", "png"))
    assert svg == png != []
    assert not (tmp_path / "report.html").exists()


def test_ten_variants_stay_below_five_megabytes(tmp_path: Path) -> None:
    run = simulate("bank", 250, vary={"trumps": None, "seven": ["skip", "nothing"]}, bots="random", seed=4)
    assert len(run.manifest.variants) == 10
    page = write_report("Ten", "", [RunItem(None, run, "1", ())], tmp_path, ("html",))[0]
    assert page.stat().st_size < 1_500_000
    assert page.read_text().count("<svg") > 15
    assert len(unpacked(page.read_text())) > page.stat().st_size


def test_two_runs_with_one_name_get_addresses_of_their_own(tmp_path: Path) -> None:
    items = [RunItem(None, single(), "1", ()), RunItem(None, single(), "1", ())]
    found = Page(write_report("Twice", "", items, tmp_path, ("html",))[0].read_text())
    assert len(found.ids) == len(set(found.ids))
    assert {"run", "run-2"} <= set(found.ids)


def test_a_run_that_is_not_complete_is_reported_and_says_so(tmp_path: Path) -> None:
    run = simulate("bank", 300, vary={"trumps": ["own", "one"]}, bots="random", seed=9)
    run.tallies.variants[1].done[2] = False
    run.manifest = run.manifest.__class__(**{**vars(run.manifest), "state": "running", "digest": ""})
    run.tallies.manifest = run.manifest
    text = write_report("Part", "", [RunItem(None, run, "1", ())], tmp_path, ("html",))[0].read_text()
    assert "the run is not complete" in text
    assert "285 for each of 2 variants" in text


def test_what_cannot_be_reported_is_refused(tmp_path: Path) -> None:
    item = RunItem(None, single(), "1", ())
    with pytest.raises(InputError, match="allowed: html, md, png"):
        write_report("X", "", [item], tmp_path, ("pdf",))
    with pytest.raises(InputError, match="at least one"):
        write_report("X", "", [], tmp_path)
    with pytest.raises(InputError, match="unknown variant"):
        write_report("X", "", [RunItem(None, single(), "trumps=seven", ())], tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(RunError, match="cannot be written"):
        write_report("X", "", [item], blocked)


def test_composed_commands_play_the_same_run() -> None:
    crossed = simulate(
        "bank", 60, {"players": 2}, {"trumps": ["none", "two"], "seven": None}, bots=["random", "greedy"]
    )
    assert play_command(crossed, "x") == (
        "kozyr simulate bank --set players=2 --vary trumps=none,two --vary seven=skip,draw_play,draw_skip,nothing"
        " --vary-bots random --vary-bots greedy --games 60 --seed 0 --out x"
    )
    alone = simulate(
        "bank", 60, vary={"trumps": ["none", "two"], "seven": ["nothing"]}, one_at_a_time=True, bots="random"
    )
    assert "--one-at-a-time" in play_command(alone, "x")


def test_sample_games_are_the_extremes_and_replay_to_their_numbers() -> None:
    view = View(trumps(), "1", ())
    games = sample_games(view)
    assert {"longest", "most turned about", "most typical"} <= {why for g in games for why in g.why.split(" and ")}
    assert len({g.variant for g in games}) == 3
    for game in games:
        variant, index = map(int, game.id.split("-"))
        whole = replay_variant(view.run.game, view.run.manifest.variants[variant], 11, index)
        assert f"turns {whole.counts['turns']:,}".replace(",", NARROW) in game.numbers
        assert game.events[0] == whole.events[0]
        assert game.events[-1] == whole.events[-1]


def test_long_games_are_shortened_at_the_borders_of_their_rounds() -> None:
    variant = trumps().manifest.variants[1]
    events = list(replay_variant(trumps().game, variant, 11, 0).events)
    short = shortened(events, 300)
    gaps = [i for i, event in enumerate(short) if event["event"] == "gap"]
    assert len(gaps) == 1
    at = gaps[0]
    assert short[at + 1]["event"] == "round"
    assert short[at - 1]["event"] == "round_end"
    assert short[at]["left_out"] == len(events) - len(short) + 1
    assert short[:at] == events[:at]
    assert short[at + 1 :] == events[at + short[at]["left_out"] :]
    assert len(short) <= 500
    before = next(e for e in reversed(events[: at + short[at]["left_out"]]) if e["event"] == "round_end")
    assert short[at]["total"] == before["total"]
    assert shortened(events, len(events)) == events


def test_embedded_events_come_back_and_cannot_end_their_element() -> None:
    games = {"a": [{"event": "x", "cards": ["Ts"], "n": 3}, {"event": "</script>", "n": None}], "b": [{"event": "x"}]}
    text = packed_json(encode(games))
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", text)
    back = json.loads(unpack(text))
    assert {name: list(decode(back, name)) for name in games} == games


@pytest.mark.parametrize("text", ["", "a", HOSTILE, "козир ♠" * 1000])
def test_what_is_packed_comes_back(text: str) -> None:
    assert unpack(pack(text)) == text


def test_sentences_compose_what_was_found() -> None:
    found = [words(sentence) for sentence in RunItem(section("t"), trumps(), "trumps=own", ()).sentences()]
    assert found[0].startswith("With trumps=own (each player has a trump suit of his own), the first player wins ")
    assert "(95 %: " in found[0]
    assert any(line.startswith("Mind the cap: with trumps=none") for line in found)
    assert any("differences in the headline numbers" in line for line in found)
    assert any(line.startswith("But seats are not alike: best off is the ") for line in found) == (
        View(trumps(), "trumps=own", ()).seats("round_win_share", 0).equality.p_value < 0.05  # type: ignore[union-attr]
        and View(trumps(), "trumps=own", ()).seats("round_win_share", 0).best != 0  # type: ignore[union-attr]
    )
    alone = [words(sentence) for sentence in RunItem(None, single(), "1", ()).sentences()]
    assert alone[0].startswith("Under the default rules, the first player wins ")
