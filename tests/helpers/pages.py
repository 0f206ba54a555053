"""Pages in a browser, and Markdown as people see it."""

import base64
import importlib.util
import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

# A page in headless Chromium, by the WebDriver protocol: what it says and asks for.

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
]
PATIENCE = 300


class Browser:
    """One session of a driver, with its logs."""

    def __init__(self, address: str) -> None:
        self._address = address
        options = {"args": FLAGS, "perfLoggingPrefs": {"enableNetwork": True}}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "timeouts": {"script": 1000 * PATIENCE},
        }
        answer = self._post(
            f"{address}/session", {"capabilities": {"alwaysMatch": wanted}}
        )
        self._session = f"{address}/session/{answer['sessionId']}"

    def open(self, page: Path) -> None:
        """Show a file."""
        self._post(f"{self._session}/url", {"url": page.as_uri()})

    def run(self, script: str, *arguments: object) -> Any:
        """What a script returns; it is the body of a function, and may be a promise."""
        body = {"script": script, "args": list(arguments)}
        return self._post(f"{self._session}/execute/sync", body)

    def printed(self, width: float, height: float) -> bytes:
        """The page as PDF on paper of a size in centimetres."""
        body = {"page": {"width": width, "height": height}}
        data = self._post(f"{self._session}/print", body)
        return base64.b64decode(data)

    def look(self, width: int, scheme: str) -> None:
        """Be as wide as that, and prefer `light` or `dark`."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self._command("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._command("Emulation.setEmulatedMedia", {"media": "", "features": features})

    def show_print(self) -> None:
        """Look as it does on paper."""
        self._command("Emulation.setEmulatedMedia", {"media": "print"})

    def without_scripts(self) -> None:
        """Run no script of the pages that are opened from now on."""
        self._command("Emulation.setScriptExecutionDisabled", {"value": True})

    def complaints(self) -> list[str]:
        """What the console has had to say since the last time."""
        return [entry["message"] for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since the last time."""
        events = [json.loads(e["message"])["message"] for e in self._log("performance")]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def close(self) -> None:
        """End the session and its processes."""
        request = urllib.request.Request(self._session, method="DELETE")
        urllib.request.urlopen(request, timeout=PATIENCE).close()

    def _log(self, kind: str) -> Any:
        return self._post(f"{self._session}/se/log", {"type": kind})

    def _command(self, name: str, parameters: dict[str, object]) -> None:
        body = {"cmd": name, "params": parameters}
        self._post(f"{self._session}/goog/cdp/execute", body)

    def _post(self, address: str, body: dict[str, object]) -> Any:
        request = urllib.request.Request(
            address, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]


def axe_source() -> str:
    """The accessibility checker axe-core, as a script."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        _missing("axe-core is missing: pip install --no-deps axe-playwright-python")
    assert found is not None
    folder = Path(next(iter(found.submodule_search_locations or ())))
    return next(folder.glob("**/axe.min.js")).read_text(encoding="utf-8")


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser; the test is skipped where there is none, but never in CI."""
    driver = shutil.which("chromedriver")
    if driver is None:
        _missing("chromedriver is missing: apt-get install chromium chromium-driver")
    assert driver is not None
    process = subprocess.Popen(
        [driver, "--port=0"], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    try:
        line = next(line for line in process.stdout if "successfully on port" in line)
        port = line.rstrip(".\n").rpartition(" ")[2]
        page = Browser(f"http://127.0.0.1:{port}")
        try:
            yield page
        finally:
            page.close()
    finally:
        process.terminate()
        process.wait()


def _missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


# A page as it is written: whole, and what it says.


class WrittenPage(HTMLParser):
    """The elements and texts of a page; refuses one that is not well formed."""

    ALONE: ClassVar = {"meta", "br", "link", "img", "path"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.rows: list[list[str]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.ALONE:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data.strip()
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


# What people see of Markdown, as GitHub and GitLab show it.

APART = "\u200b"
_LINKED = re.compile(
    r"@\w|#\d|[!$%&~^]\d|\bGH-\d|\w://|\bwww\.|:[\w+-]*[a-z+-][\w+-]*:", re.IGNORECASE
)
"""What these make links of, or small pictures, after everything else."""

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_MARKS = {"text", "code_inline", "softbreak", "strong_open", "strong_close"}


def shown_in(text: str) -> str:
    """The text that is seen, a line for each block, without what keeps signs apart.

    Raises AssertionError for markup that our outputs have no use for, and for what
    would be made a link.
    """
    return "\n".join(
        "".join(_seen(block)).replace(APART, "") for block in _blocks(text)
    )


def code_in(text: str) -> list[str]:
    """What is shown as code."""
    return [
        part.content
        for block in _blocks(text)
        for part in block.children or ()
        if part.type == "code_inline"
    ]


def _blocks(text: str) -> Iterator[Token]:
    for token in _PARSER.parse(text):
        assert token.type not in ("html_block", "code_block", "fence"), token
        if token.type == "inline":
            yield token


def _seen(block: Token) -> Iterator[str]:
    plain = ""
    for part in block.children or ():
        assert part.type in _MARKS, (part.type, block.content)
        if part.type == "text":
            plain += part.content
            yield part.content
        elif part.type == "code_inline":
            plain += "x"
            yield part.content
    assert _LINKED.search(plain) is None, (plain, block.content)
