"""Completion for bash 4 and later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckcheck.completion.program import Program, Switch, Value, Verb

__all__ = ["bash_script"]

# Without a match bash completes files: `-o default`.
_SCRIPT = """\
# Completion of {name} for bash: eval "$({name} completion bash)"
_{name}() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local verb=${{COMP_WORDS[1]}} words= place=0 i
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" ]]; then
        previous=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        case "$verb ${{COMP_WORDS[i]}}" in
            {valued}) i=$((i + 1)) ;;
            *" -"*) ;;
            *) place=$((place + 1)) ;;
        esac
    done
    if ((COMP_CWORD == 1)); then
        words="{verbs}"
    else
        case "$verb $previous" in
{values}
            *) case "$verb $place $current" in
{arguments}
            esac ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _{name} {name}
"""


def bash_script(program: Program) -> str:
    """The script to source."""
    names = [name for switch in program.switches for name in switch.names]
    return _SCRIPT.format(
        name=program.name,
        verbs=" ".join([*(verb.name for verb in program.verbs), *names]),
        valued=_patterns(
            (verb, switch)
            for verb in program.verbs
            for switch in verb.switches
            if switch.value is not None
        ),
        values="\n".join(_values(program)),
        arguments="\n".join(
            line for verb in program.verbs for line in _arguments(verb)
        ),
    )


def _patterns(pairs: Iterable[tuple[Verb, Switch]]) -> str:
    return "|".join(
        f'"{verb.name} {name}"' for verb, switch in pairs for name in switch.names
    )


def _values(program: Program) -> Iterator[str]:
    for verb in program.verbs:
        for switch in verb.switches:
            if switch.value is not None:
                pattern = _patterns([(verb, switch)])
                yield f"            {pattern}) {_offer(switch.value)}"


def _offer(value: Value) -> str:
    return f'words="{" ".join(value.words)}" ;;' if value.words else ";;"


def _arguments(verb: Verb) -> Iterator[str]:
    """What stands where no option asks for a value: options after a `-`, else words."""
    names = " ".join(name for switch in verb.switches for name in switch.names)
    yield f'                "{verb.name} "*" -"*) words="{names}" ;;'
    for place, value in enumerate(verb.arguments):
        is_last = place == len(verb.arguments) - 1
        pattern = f'"{verb.name} "*' if is_last else f'"{verb.name} {place} "*'
        yield f"                {pattern}) {_offer(value)}"
