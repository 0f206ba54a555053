"""Completion for zsh."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.completion.program import Program, Switch, Value, Verb

__all__ = ["zsh_script"]

_SCRIPT = """\
#compdef {name}
# Completion of {name} for zsh: eval "$({name} completion zsh)" after compinit,
# or this text as a file `_{name}` in a folder of fpath.
_{name}() {{
  local context state state_descr line
  _word_or_file() {{ compadd -- "$@"; _files }}
  typeset -A opt_args
  _arguments -C \\
{switches}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a verbs=(
{verbs}
      )
      _describe command verbs
      ;;
    argument)
      case $words[1] in
{cases}
      esac
      ;;
  esac
}}
if [[ $funcstack[1] == _{name} ]]; then
  _{name} "$@"
else
  compdef _{name} {name}
fi
"""


def zsh_script(program: Program) -> str:
    """The script to source, or to autoload."""
    return _SCRIPT.format(
        name=program.name,
        switches="\n".join(
            f"    {spec} \\" for switch in program.switches for spec in _specs(switch)
        ),
        verbs="\n".join(
            f"        {_quoted(f'{verb.name}:{verb.summary}')}"
            for verb in program.verbs
        ),
        cases="\n".join(_case(verb) for verb in program.verbs),
    )


def _quoted(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"


def _plain(text: str) -> str:
    """Text that means nothing to `_arguments`."""
    for sign in ("\\", "[", "]", ":"):
        text = text.replace(sign, f"\\{sign}")
    return text


def _specs(switch: Switch) -> Iterator[str]:
    """One specification for each spelling; `*` lets it be given again."""
    for name in switch.names:
        spec = f"*{name}[{_plain(switch.help)}]"
        if switch.value is not None:
            spec += f":{_plain(switch.value.name)}:{_action(switch.value)}"
        yield _quoted(spec)


def _action(value: Value) -> str:
    words = " ".join(_plain(word) for word in value.words)
    if value.words and value.has_files:
        # The space keeps `_arguments` from adding words of its own.
        return f" _word_or_file {words}"
    if value.words:
        return f"({words})"
    if value.has_folders:
        return "_files -/"
    return "_files" if value.has_files else " "


def _case(verb: Verb) -> str:
    specs = [spec for switch in verb.switches for spec in _specs(switch)]
    for place, value in enumerate(verb.arguments, start=1):
        which = "*" if place == len(verb.arguments) else str(place)
        specs.append(_quoted(f"{which}:{_plain(value.name)}:{_action(value)}"))
    lines = " \\\n".join(f"            {spec}" for spec in specs)
    return f"        {verb.name})\n          _arguments \\\n{lines}\n          ;;"
