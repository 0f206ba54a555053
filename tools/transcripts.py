"""Commands with all that they print and write, kept in files and compared by tests.

python -m tools.transcripts [FILE...]

writes those of tests/*/transcripts, or some of them, anew after a change that is meant.
A transcript begins with the files that its commands find, each below a line with its
name; the commands follow, each with what it printed and then the files it wrote: of a
file that was shown before only what has changed, of one like another only its name. A
command may read a file as its input: `deckcheck validate - < a.deck`. The file
`environment` has variables for the commands, with FOLDER for the folder they run in.
"""

from __future__ import annotations

import html
import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from difflib import unified_diff
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

from deckcheck.version import __version__

__all__ = ["check", "transcript_of", "transcripts"]

ROOT = Path(__file__).resolve().parent.parent
COMMAND, FILE = "$ deckcheck ", "--- "
UNSEEN = "unseen/"
"""A folder for what is only a step on the way."""
LEFT_OUT = ("CI_", "DECKCHECK_", "FORCE_COLOR", "GITHUB_")
"""Variables that a user may have set, and a run of the tests elsewhere."""
ENVIRONMENT = "environment"
FIXED = {
    "COLUMNS": "80",
    "DECKCHECK_JOBS": "1",
    "DECKCHECK_NO_KEEP": "1",
    "DECKCHECK_PROGRESS": "none",
    "SOURCE_DATE_EPOCH": "1782777600",
    "TZ": "UTC",
}
WIDTH = 120
"""How long the lines of a document may be."""
SHOWN = 60
"""How many lines of a difference are shown."""
DIGITS = 9
"""How many of a number count: the last ones differ between releases of numpy."""
NORMALISED = (
    (r"(?m)^.*\b(was compiled already|compiling the .* engine)\b.*\n", "", "the cache"),
    (r"(?m)^preliminary: .*\n", "", "the cache"),
    (r"(?m)^.*: compiled in [\d.]+ s\n", "", "the cache, a time"),
    (r"(?m)^kept in .*\n", "kept in CACHE\n", "the cache, named by sources"),
    (r"[\d,.]+ games/s\b", "N games/s", "a speed"),
    (r'("(?:games_per_second|seconds)": )[\d.e+-]+', r"\1N", "a speed, a time"),
    (r'("engine": ?)"[0-9a-f]{12}"', r'\1"HASH"', "of the engine's sources"),
    (r"(engine )[0-9a-f]{12}\b", r"\1HASH", "of the engine's sources"),
    (r'(?m)^(  "crc": )"[0-9a-f]{8}"', r'\1"CRC"', "of a document with a hash"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", "when it ran"),
    (re.escape(__version__), "VERSION", "of the program"),
    (r'("(?:crc|identity)": ?)"[0-9a-f]+"', r'\1"HASH"', "of a document with these"),
    (r'("cards": ?)"(?:[0-9a-f]{12}|[0-9a-f]{64})"', r'\1"HASH"', "of all cards"),
    (
        r'(cards\s*fingerprint |"gwent )(?:[0-9a-f]{64}|[0-9a-f]{12})',
        r"\1HASH",
        "of them",
    ),
    (r'("checksum": ?)"[0-9a-f]{64}"', r'\1"HASH"', "of a document with a version"),
    (r"(Checksum of this letter: )[0-9a-f]+", r"\1HASH", "of a text with a version"),
)
"""What may differ between two runs: a pattern, what to write instead, and why."""


Look = Callable[[str, Any], None]


def ignore(name: str, document: Any) -> None:
    """Look at no document."""


def transcripts(folder: str = "*") -> list[Path]:
    """The transcripts of a folder of tests."""
    return sorted(ROOT.glob(f"tests/{folder}/transcripts/*.txt"))


def check(path: Path, look: Look = ignore) -> None:
    """Raise AssertionError with what differs, unless a transcript is what it was."""
    was = path.read_text("utf-8").splitlines()
    now = transcript_of(path.read_text("utf-8"), look).splitlines()
    if lines := [*unified_diff(was, now, "was", "now", n=1, lineterm="")]:
        shown = "\n".join(line[:160] for line in lines[:SHOWN])
        name = path.relative_to(ROOT).as_posix()
        raise AssertionError(f"{shown}\nif meant: python -m tools.transcripts {name}")


def transcript_of(text: str, look: Look = ignore) -> str:
    """The transcript of the same files and commands, as they are now.

    `look` is called with the name of each JSON file without its ending, and what it
    holds. The commands run in this process, in a new folder with the decks and the
    examples.
    """
    lines = text.splitlines()
    commands = [line for line in lines if line.startswith(COMMAND)]
    files = "".join(f"{line}\n" for line in lines[: lines.index(commands[0])])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for source in ("decks", "examples", "tests/decks/pasted"):
            shutil.copytree(ROOT / source, folder / Path(source).name)
        for path, content in _files_in(files).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content, "utf-8")
        own = _files_in(files).get(ENVIRONMENT, "").replace("FOLDER", str(folder))
        variables = FIXED | dict(line.split("=", 1) for line in own.splitlines())
        kept = {k: v for k, v in os.environ.items() if not k.startswith(LEFT_OUT)}
        shown = {
            path: _page(content) if path.endswith(".html") else content
            for path, content in _files_in(files).items()
        }
        with chdir(folder), patch.dict(os.environ, kept | variables, clear=True):
            return files + "".join(
                _output_of(each, folder, look, shown) for each in commands
            )


def _files_in(text: str) -> Mapping[str, str]:
    _, *parts = re.split(rf"(?m)^{FILE}(.*)\n", text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _output_of(command: str, folder: Path, look: Look, shown: dict[str, str]) -> str:
    """A command, what it printed and what it wrote; `shown` are the files so far."""
    from deckcheck.cli import main

    before = stamps(folder)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in "12")
    words, _, source = command.removeprefix(COMMAND).partition(" < ")
    read = io.TextIOWrapper(
        io.BytesIO((folder / source).read_bytes() if source else b"")
    )
    with redirect_stdout(out), redirect_stderr(err), patch("sys.stdin", read):
        code = main([*expanded(words, folder)])
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    parts = [f"{command}\n", _plain(texts[0], folder)]
    said = _plain(texts[1], folder)
    parts += [f"{FILE}stderr\n", said] if said else []
    parts += [f"{FILE}exit code {code}\n"] if code else []
    for path, stamp in sorted(stamps(folder).items()):
        if stamp != before.get(path) and not path.startswith(UNSEEN):
            content = (folder / path).read_bytes()
            if path.endswith(".json"):
                look(path.removesuffix(".json"), json.loads(content))
            new = _shown(path, content.decode("utf-8", "replace"), folder)
            parts += [f"{FILE}{path}\n", _news(path, new, shown)] if content else []
    return "".join(
        part if part.endswith("\n") else f"{part}\n" for part in parts if part
    )


def expanded(words: str, folder: Path) -> Iterator[str]:
    """The words of a command, with patterns replaced as a shell does."""
    for word in shlex.split(words):
        found = folder.glob(word) if "*" in word else ()
        yield from sorted(str(path.relative_to(folder)) for path in found) or [word]


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file below a folder was written, and how large it is."""
    files = (path for path in folder.rglob("*") if path.is_file())
    stats = ((path.relative_to(folder).as_posix(), path.stat()) for path in files)
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in stats}


def _plain(text: str, folder: Path) -> str:
    """A text without what may differ; `folder` is where the commands ran."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, instead, _ in NORMALISED:
        text = re.sub(pattern, instead, text)
    return re.sub(r"\d+\.\d{9,}(e-?\d+)?", lambda m: f"{float(m[0]):.{DIGITS}g}", text)


def _shown(path: str, text: str, folder: Path) -> str:
    """What is shown of a file: documents without wide margins, pages as text."""
    text = _plain(text, folder)
    if path.endswith(".json"):
        lines = _document(json.loads(text.replace(": N,", ': "N",')))
        return "".join(f"{line}\n" for line in lines)
    return _page(text) if path.endswith(".html") else text


def _news(path: str, text: str, shown: dict[str, str]) -> str:
    """What was not shown of a file yet: all, the changes, or which one it is like."""
    alike = [name for name, each in shown.items() if each == text and name != path]
    old, shown[path] = shown.get(path), text
    if alike and text.count("\n") > 1:
        return f"as {alike[0]}\n"
    if old is None:
        return text
    both = (each.splitlines(keepends=True) for each in (old, text))
    changes = [line for line in unified_diff(*both, n=0) if line[0] != "@"][2:]
    return min(text, "".join(changes), key=len)


def _document(value: Any, before: str = "", indent: int = 0) -> Iterator[str]:
    """The lines of JSON in which each one holds as much as fits."""
    margin, whole = " " * indent, json.dumps(value, ensure_ascii=False)
    if len(line := margin + before + whole) <= WIDTH or not isinstance(
        value, dict | list
    ):
        yield line
        return
    pairs = value.items() if isinstance(value, dict) else (("", v) for v in value)
    yield f"{margin}{before}{whole[0]}"
    waiting = ""
    for key, each in pairs:
        lines = [*_document(each, f"{json.dumps(key)}: " if key else "", indent + 1)]
        both = f"{waiting}, {lines[0].strip()}" if waiting else lines[0]
        if len(lines) == 1 and len(both) <= WIDTH:
            waiting = both
            continue
        yield from [waiting] if waiting else []
        waiting = lines[0] if len(lines) == 1 else ""
        yield from lines if len(lines) > 1 else []
    yield from [waiting] if waiting else []
    yield f"{margin}{whole[-1]}"


def _page(text: str) -> str:
    """The words of a page, a row in a line, and a checksum of its elements."""
    _, _, body = re.sub(r"(?s)<(style|script)\b.*?</\1>", "", text).partition("<body")
    elements = crc32(body.encode())
    body = re.sub(r"(?s)<svg.*?</svg>|<nav.*?</nav>", "", body)
    body = re.sub(r"\s*</t[hd]>\s*", " | ", body)
    body = html.unescape(re.sub(r"<[^>]*>", "", "<body" + body))
    words = [" ".join(line.split()) for line in body.splitlines() if line.strip()]
    return "".join(f"{line}\n" for line in [*words, f"elements {elements:08x}"])


def main(names: Sequence[str]) -> int:
    """Write transcripts anew; returns an exit code."""
    # A command that plays nothing would load the engine uncompiled, for all of them.
    import_module("deckcheck.engine.jit")
    for path in map(Path, names) if names else transcripts():
        old = path.read_text("utf-8")
        new = transcript_of(old)
        path.write_text(new, "utf-8")
        print(f"{path}: {'as it was' if new == old else 'written anew'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
