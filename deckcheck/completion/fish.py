"""Completion for fish 3 and later."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.completion.program import Program, Switch, Value, Verb

__all__ = ["fish_script"]


def fish_script(program: Program) -> str:
    """The script to source, or to keep in `~/.config/fish/completions`."""
    name = program.name
    lines = [
        f"# Completion of {name} for fish: {name} completion fish | source",
        f"complete -c {name} -f",
    ]
    for switch in program.switches:
        lines.append(_line(name, "__fish_use_subcommand", _switch(switch)))
    for verb in program.verbs:
        what = f"-a {verb.name} -d {_quoted(verb.summary)}"
        lines.append(_line(name, "__fish_use_subcommand", what))
    for verb in program.verbs:
        condition = f"'__fish_seen_subcommand_from {verb.name}'"
        lines += (_line(name, condition, what) for what in _offers(verb))
    return "\n".join(lines) + "\n"


def _line(name: str, condition: str, what: str) -> str:
    return f"complete -c {name} -n {condition} {what}"


def _offers(verb: Verb) -> Iterator[str]:
    yield from map(_switch, verb.switches)
    for value in verb.arguments:
        if value.words or value.has_files:
            yield _value(value).strip()


def _switch(switch: Switch) -> str:
    parts = []
    for name in switch.names:
        bare = name.lstrip("-")
        kind = "l" if name.startswith("--") else "s"
        parts.append(f"-{kind} {bare}")
    if switch.value is not None:
        has_files = switch.value.has_files
        parts.append(("-r" if has_files else "-x") + _value(switch.value))
    parts.append(f"-d {_quoted(switch.help)}")
    return " ".join(parts)


def _value(value: Value) -> str:
    """Words and files, after a space."""
    files = " -F" if value.has_files else ""
    if value.has_folders:
        return " -a '(__fish_complete_directories)'"
    return files + (f" -a {_quoted(' '.join(value.words))}" if value.words else "")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
