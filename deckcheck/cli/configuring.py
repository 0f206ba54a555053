"""Options of a command from variables and from the configuration file.

Whatever the command line does not give comes from `DECKCHECK_...` in the environment,
else from the file, else it is the default.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli.loaded import keep_settings, settings_of
from deckcheck.cli.options import Color
from deckcheck.cli.printing import tell
from deckcheck.cli.settable import all_options, file_options, options_of, usable
from deckcheck.cli.values import VARIABLE, option_key
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import file_fault
from deckcheck.findings.words import nearest, quote

if TYPE_CHECKING:
    from deckcheck.config.settings import Settings


_GIVEN = "deckcheck.config.given"


def _configure(ctx: typer.Context, param: typer.CallbackParam, value: Any) -> Any:
    """Read the configuration once both `--config` and `--isolated` are known."""
    given = ctx.meta.setdefault(_GIVEN, {})
    given[param.name] = value
    if len(given) == 2 and not ctx.resilient_parsing:
        _warn_of_variables(ctx)
        settings = _load(ctx, given["config"], given["isolated"])
        if settings is not None:
            keep_settings(ctx, settings)
            ctx.default_map = _defaults(ctx, settings)
    return value


def _defaults(ctx: typer.Context, settings: Settings) -> dict[str, Any]:
    """The values of the file for the options of the command."""
    params = {option_key(param): param for param in options_of(ctx)}
    return {
        params[key].name: usable(params[key], entry.value, ctx)
        for key, entry in settings.options.items()
        if key in params
    }


def _warn_of_variables(ctx: typer.Context) -> None:
    """Say which variables stand for no option of any command."""
    named = [name for name in os.environ if name.startswith(VARIABLE)]
    own = {param.envvar for param in options_of(ctx)}
    if own.issuperset(named):
        return
    known = sorted({param.envvar for param in all_options(ctx)})
    for name in sorted(set(named).difference(known)):
        # What all variables begin with makes none of them more likely.
        words = [each.removeprefix(VARIABLE) for each in known]
        near = nearest(name.removeprefix(VARIABLE), words)
        help = f", did you mean {quote(VARIABLE + near[0])}?" if near else ""
        tell(f"warning: Variable {quote(name)} means nothing{help}")


def _load(ctx: typer.Context, config: Path | None, isolated: bool) -> Settings | None:
    if isolated and config is not None:
        # What is typed wins over the environment.
        named = [name for name in ("config", "isolated") if _is_typed(ctx, name)]
        if len(named) != 1:
            message = "`--isolated` and `--config` cannot be used together"
            raise UsageError(message, "Give one of the two")
        isolated = named == ["isolated"]
    if isolated:
        return None
    from deckcheck.config.discovery import find_config

    if config is not None and not os.path.exists(config):
        from deckcheck.decks.discovery import missing

        raise missing(config, "configuration")
    fault = None if config is None else file_fault(config)
    if fault is not None:
        raise UsageError(f"Configuration {quote(str(config))} {fault}")
    file = config or find_config(os.getcwd())
    if file is None:
        return None
    from deckcheck.config.settings import load_settings

    return load_settings(file, list(file_options(ctx).values()))


def _is_typed(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


_ADDED = (
    Parameter(
        "config",
        Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[
            Path | None,
            typer.Option(
                "--config",
                metavar="FILE",
                help="Configuration file to use instead of the nearest.",
                is_eager=True,
                callback=_configure,
            ),
        ],
    ),
    Parameter(
        "isolated",
        Parameter.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[
            bool,
            typer.Option(
                "--isolated",
                help="Read no configuration file.",
                is_eager=True,
                callback=_configure,
            ),
        ],
    ),
    Parameter(
        "show_settings",
        Parameter.KEYWORD_ONLY,
        default=False,
        annotation=Annotated[
            bool,
            typer.Option(
                "--show-settings",
                help="Show every setting and where it comes from, and exit.",
            ),
        ],
    ),
)
# What a command that paints nothing has as well, so that it can be given to any.
_COLOR = Parameter("color", Parameter.KEYWORD_ONLY, default="auto", annotation=Color)
_CONTEXT = Parameter("ctx", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)


def configured(function: Callable[..., object]) -> Callable[..., object]:
    """The function of a command, with the options about its configuration."""
    own = signature(function, eval_str=True)

    @wraps(function)
    def run(ctx: typer.Context, *, show_settings: bool, **values: object) -> object:
        for name in set(values).difference(own.parameters):
            del values[name]
        if show_settings:
            from deckcheck.cli.shown_settings import show_settings as show

            show(ctx, settings_of(ctx))
            return 0
        if "ctx" in own.parameters:
            values["ctx"] = ctx
        return function(**values)

    kept = [each for name, each in own.parameters.items() if name != "ctx"]
    color = () if "color" in own.parameters else (_COLOR,)
    parameters = [_CONTEXT, *kept, *color, *_ADDED]
    parameters.sort(key=lambda each: each.kind)
    vars(run)["__signature__"] = own.replace(parameters=parameters)
    return run
