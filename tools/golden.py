"""Record the outputs of every command, and compare them with a recording.

python -m tools.golden record FOLDER
python -m tools.golden compare FOLDER

The command line of this checkout is called as a program, so that nothing of its inside
is known here. Each command has a file with its exit code and what it printed, and a
folder with the files that it wrote.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from tools.cases import CASES, COPIED, FILES, PAIR, SWARM, Cases

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2
SHOWN_FILES, SHOWN_LINES = 40, 14

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
)
"""What may differ between two recordings: a pattern, what to write instead, and why."""


@dataclass(frozen=True)
class Names:
    """What the program says that it has; `outputs` are those of each command."""

    commands: Sequence[str]
    outputs: Mapping[str, Sequence[str]]
    schemas: Sequence[str]
    rules: Sequence[str]
    formats: Sequence[str]
    policies: Sequence[str]


def normalised(text: str, folder: Path) -> str:
    """A text without what may differ; `folder` is where the commands ran."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, instead, _ in NORMALISED:
        text = re.sub(pattern, instead, text)
    return text


def run(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a folder, with nothing set by the user's environment."""
    words, _, source = command.partition(" < ")
    left_out = ("DECKCHECK_", "GITHUB_", "FORCE_COLOR", "PYTHON")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
    fixed = {"COLUMNS": "80", "TZ": "UTC", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", *expanded(words, folder)],
        cwd=folder,
        env=kept | fixed | {"DECKCHECK_JOBS": "1", "DECKCHECK_PROGRESS": "none"},
        input=(folder / source).read_bytes() if source else b"",
        capture_output=True,
        check=False,
    )


def expanded(words: str, folder: Path) -> Iterator[str]:
    """The words of a command, with patterns replaced as a shell does."""
    for word in shlex.split(words):
        found = folder.glob(word) if "*" in word else ()
        yield from sorted(str(path.relative_to(folder)) for path in found) or [word]


def names_of_program(folder: Path) -> Names:
    """Ask the program, in a folder with decks, for all that it has."""

    def said(command: str) -> str:
        done = run(command, folder)
        return (done.stdout + done.stderr).decode()

    commands = re.findall(r"(?m)^  (\w+)  +[A-Z]", said("--help"))
    run(f"simulate {PAIR} -n 2 --policy random --run run -q", folder)
    # These look at what they are given before they look at their options.
    first = {"resume": "run", "report": "run", "cards": "list", "formats": "list"}
    first["solve"] = "gwent/standard"
    wrong = [f"{name} {first.get(name, SWARM)} --output-format ?" for name in commands]
    with ThreadPoolExecutor(WORKERS) as pool:
        outputs = dict(
            zip(commands, map(outputs_in, pool.map(said, wrong)), strict=True)
        )
    schema_list = " ".join(said("schema --help").split()).split(" KIND ")[1]
    return Names(
        commands,
        outputs,
        re.findall(r"[\w-]+", schema_list.partition("[required]")[0]),
        re.findall(r"(?m)^\w+  (\S+)", said("rule")),
        re.findall(r"(?m)^(\S+/\S+) ", said("formats list")),
        re.findall(r"[\w-]+", said(f"simulate {PAIR} --policy ?").split("one of")[1]),
    )


def outputs_in(error: str) -> Sequence[str]:
    """The outputs that a command names when it is asked for one that it has not.

    Raises SystemExit when it names none, unless it has no such option.
    """
    offer = re.search(r"(Outputs are|, choose) (.*)", error)
    if not offer and "No such option" not in error:
        raise SystemExit(f"No outputs in: {error}")
    return re.findall(r"`([\w-]+)`", offer[2]) if offer else ()


def cases_of(names: Names, templates: Cases = CASES) -> Cases:
    """All cases, those of each name too; raises SystemExit if they leave out any."""
    kinds = {
        "{command}": names.commands,
        "{schema}": names.schemas,
        "{rule}": names.rules,
        "{format}": names.formats,
    }
    cases = {}
    for case, commands in templates.items():
        kind = next((kind for kind in kinds if kind in case), "")
        for name in kinds.get(kind, ("",)):
            texts = (text.replace(kind, name) if kind else text for text in commands)
            cases[case.replace(kind, name) if kind else case] = tuple(texts)
    if gaps := list(missing(names, cases)):
        raise SystemExit("No case has\n" + "\n".join(gaps))
    return cases


def missing(names: Names, cases: Cases) -> Iterator[str]:
    """What a command line has and no case uses, as the commands that would."""
    used = [text for commands in cases.values() for text in commands]
    wanted = [
        *names.commands,
        *(f"schema {name}" for name in names.schemas),
        *(f"rule {name}" for name in names.rules),
        *(f"formats show {name}" for name in names.formats),
        *(f"simulate --plan games/{name}/plan.toml" for name in names.formats),
    ]
    for command in wanted:
        plain = (text for text in used if text != f"{command} --help")
        if not any(f"{text} ".startswith(f"{command} ") for text in plain):
            yield command
    for command, outputs in names.outputs.items():
        own = " ".join(text for text in used if text.startswith(f"{command} "))
        given = set(re.findall(r"--output-format (\w+)", own))
        yield from (f"{command} --output-format {o}" for o in outputs if o not in given)


def plan_of_games(format: str, policies: Iterable[str]) -> str:
    """A plan in which each policy plays a few games of a format."""
    text = f'[defaults]\nformat = "{format}"\ngames = 8\n'
    for policy in policies:
        budget = ":4" if policy.startswith("search") else ""
        name = policy.replace("-", "_")
        text += f'[experiments.{name}]\npolicies = ["{policy}{budget}"]\n'
        text += 'decks = ["field"]\n'
    return text


def prepare(folder: Path) -> None:
    """Copy what the commands need into a new folder."""
    for source, name in COPIED.items():
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, folder / name)
    write(folder, {name: text.encode() for name, text in FILES.items()})


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by their paths below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def record_case(case: str, commands: Sequence[str], base: Path, into: Path) -> None:
    """Run the commands of a case in a copy of `base`, and record what they do."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "here"
        shutil.copytree(base, folder)
        for number, command in enumerate(commands, 1):
            before = stamps(folder)
            done = run(command, folder)
            after = stamps(folder)
            gone = "".join(f"{path}\n" for path in before if path not in after)
            head = f"$ deckcheck {command}\nexit code {done.returncode}\n"
            text = b"%b--- stdout\n%b--- stderr\n%b--- gone\n%b" % (
                *(head.encode(), done.stdout, done.stderr, gone.encode()),
            )
            files = {f"{number}.txt": text}
            for path in (path for path in after if after[path] != before.get(path)):
                files[f"{number}/{path}"] = (folder / path).read_bytes()
            write(into / case, {k: _plain(v, folder) for k, v in files.items()})


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file below a folder was written, and how large it is."""
    files = (path for path in folder.rglob("*") if path.is_file())
    stats = ((path.relative_to(folder).as_posix(), path.stat()) for path in files)
    return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in stats}


def _plain(content: bytes, folder: Path) -> bytes:
    try:
        return normalised(content.decode(), folder).encode()
    except UnicodeDecodeError:
        return content


def record(into: Path) -> None:
    """Record every case in a new folder."""
    into.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        probe, base = Path(name, "probe"), Path(name, "base")
        prepare(probe)
        names = names_of_program(probe)
        cases = cases_of(names)
        prepare(base)
        for format in names.formats:
            plan = plan_of_games(format, names.policies)
            write(base, {f"games/{format}/plan.toml": plan.encode()})
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(lambda c: record_case(c, cases[c], base, into), cases))


def differences(old: Path, new: Path) -> Iterator[str]:
    """For each file that differs its path, and how: missing, extra, or a diff."""
    was, now = stamps(old), stamps(new)
    for name in sorted({*was, *now}):
        if name not in now:
            yield f"missing: {name}\n"
        elif name not in was:
            yield f"extra: {name}\n"
        elif (old / name).read_bytes() != (new / name).read_bytes():
            yield f"differs: {name}\n{_diff(old / name, new / name)}"


def _diff(old: Path, new: Path) -> str:
    """The first lines of a unified diff, each cut where it is long."""
    try:
        texts = [path.read_text("utf-8").splitlines() for path in (old, new)]
    except UnicodeDecodeError:
        return "  not text\n"
    lines = islice(unified_diff(*texts, n=1, lineterm=""), 2, 2 + SHOWN_LINES)
    return "".join(f"  {line[:160]}\n" for line in lines)


def compare(recorded: Path) -> int:
    """Record anew, and show what differs; returns how many files do."""
    with tempfile.TemporaryDirectory() as name:
        new = Path(name, "new")
        record(new)
        found = list(differences(recorded, new))
    print(*found[:SHOWN_FILES], sep="", end="")
    if len(found) > SHOWN_FILES:
        print(f"and {len(found) - SHOWN_FILES} files more")
    print(f"{len(found)} files differ" if found else "every output is what it was")
    return len(found)


def main(words: Sequence[str]) -> int:
    """Record or compare, as told; returns an exit code."""
    if len(words) != 2 or words[0] not in ("record", "compare"):
        print(__doc__, file=sys.stderr)
        return 2
    folder, begun, code = Path(words[1]), time.monotonic(), 0
    if (words[0] == "record") == folder.exists():
        print(f"{folder} is there already or is missing", file=sys.stderr)
        return 2
    if words[0] == "record":
        record(folder)
    else:
        code = int(compare(folder) > 0)
    print(f"in {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
