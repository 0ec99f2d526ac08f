"""Study files: what may stand in them, and what is said of what may not."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from analysis.study import load_study
from analysis.tomlfile import read_toml
from cli import app
from reports import studies
from simcore import InputError
from simcore.batch import Interrupted

HEAD = '[study]\ntitle = "One"\ngame = "bank"\n'


def written(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "study.toml"
    path.write_text(text, encoding=encoding)
    return path


@pytest.mark.parametrize("name", ["files", "multiverse", "Files"])
def test_a_run_may_not_be_named_like_what_lies_beside_it(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, f'{HEAD}[[run]]\nid = "{name}"\n')
    with pytest.raises(InputError, match=f"study.toml:5: .*id '{name}' is not allowed: the study's folder has"):
        load_study(path)


def test_a_run_without_a_name_is_called_by_its_number(tmp_path: Path) -> None:
    sections = load_study(written(tmp_path, f"{HEAD}[[run]]\n[[run]]\n")).sections
    assert [section.id for section in sections] == ["run-1", "run-2"]


def test_whole_numbers_may_have_a_power_of_ten(tmp_path: Path) -> None:
    text = f"{HEAD}games = 2.5e3\nseed = 1e3\n[[run]]\nset = {{ target = 1e2 }}\n"
    (section,) = load_study(written(tmp_path, text)).sections
    assert (section.games, section.seed, section.set) == (2500, 1000, {"target": 100})
    with pytest.raises(InputError, match="key 'games' must be a whole number"):
        load_study(written(tmp_path, f"{HEAD}games = 2.5e0\n[[run]]\n"))
    with pytest.raises(InputError, match="key 'games' must be a whole number"):
        load_study(written(tmp_path, f"{HEAD}games = 1e400\n[[run]]\n"))


def test_a_mark_of_the_byte_order_is_no_part_of_the_file(tmp_path: Path) -> None:
    study = load_study(written(tmp_path, f"{HEAD}[[run]]\n", "utf-8-sig"))
    assert study.title == "One"
    with pytest.raises(InputError, match=r"study\.toml:3: \[study\]: unknown key 'gam'"):
        load_study(written(tmp_path, HEAD.replace("game", "gam") + "[[run]]\n", "utf-8-sig"))


def test_a_file_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a = " + "[" * 20_000)
    with pytest.raises(InputError, match=r"study\.toml: nested too deeply$"):
        read_toml(path, "study")


def test_who_interrupts_a_study_is_told_to_give_the_same_command_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise Interrupted("add --resume")

    monkeypatch.setattr(studies, "play_section", interrupted)
    path = written(tmp_path, f"{HEAD}[[run]]\n")
    done = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 130
    folder = tmp_path / "out" / "run-1"
    assert (
        done.stderr
        == f"kozyr: interrupted; finished shards are kept in {folder}; give the same command again to go on\n"
    )
