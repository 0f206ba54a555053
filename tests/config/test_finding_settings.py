"""Which configuration file is the nearest."""

from __future__ import annotations

from pathlib import Path

from deckcheck.cli.settings import find_config


def test_the_nearest_folder_wins_then_the_name(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    pyproject = tmp_path / "a" / "pyproject.toml"
    pyproject.write_text("[tool.deckcheck]\n")
    (tmp_path / "deckcheck.toml").touch()

    assert find_config(str(inner)) == pyproject
    hidden = tmp_path / "a" / ".deckcheck.toml"
    hidden.touch()
    assert find_config(str(inner)) == hidden
    plain = tmp_path / "a" / "deckcheck.toml"
    plain.touch()
    assert find_config(str(inner)) == plain


def test_a_pyproject_of_somebody_else_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "deckcheck.toml").touch()
    for text in (
        '[project]\nname = "x"\n',
        '[tool.x]\na = "deckcheck"\n',
        "deckcheck [",
    ):
        (inner / "pyproject.toml").write_text(text)
        assert find_config(str(inner)) == tmp_path / "deckcheck.toml"

    (inner / "pyproject.toml").write_text("[tool]\ndeckcheck = {}\n")
    assert find_config(str(inner)) == inner / "pyproject.toml"
