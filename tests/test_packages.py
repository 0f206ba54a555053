"""The package as it is built: every folder is a package, every module in the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "deckcheck"
FOLDERS = sorted({file.parent for file in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: folder.relative_to(ROOT).as_posix()
)
def test_every_folder_is_a_package(folder: Path) -> None:
    """A folder without it works from a checkout, and its types are not checked."""
    assert (folder / "__init__.py").is_file()


def test_git_ignores_no_module() -> None:
    """What git ignores is in no clone; hatchling leaves it out of the wheel, too."""
    modules = [file.relative_to(ROOT).as_posix() for file in PACKAGE.rglob("*.py")]
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    answer = subprocess.run(
        command,
        check=False,
        cwd=ROOT,
        input="\n".join(modules),
        capture_output=True,
        text=True,
    )

    assert (answer.returncode, answer.stdout) == (1, "")


@pytest.mark.slow
def test_the_wheel_holds_every_module(tmp_path: Path) -> None:
    build = [*("pip", "wheel", "--quiet", "--no-deps"), "--wheel-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", *build, str(ROOT)], check=True)

    (wheel,) = tmp_path.glob("*.whl")
    built = set(zipfile.ZipFile(wheel).namelist())
    modules = {file.relative_to(ROOT).as_posix() for file in PACKAGE.rglob("*.py")}
    assert modules - built == set()
