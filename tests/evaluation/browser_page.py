"""A page in headless Chromium without a network, driven through the browser's own debugging pipe.

Keys are pressed as a keyboard presses them, so that focus and the order of Tab are those a person meets.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--proxy-server=127.0.0.1:9",
    "--remote-debugging-pipe",
)
_CODES = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38}
_CODES |= {"ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
_TYPED = {"Enter": "\r"}


class Page:
    """An open page.

    Attributes:
        requested: Addresses asked for so far, the page's own first.
        logged: Errors of scripts and of the content policy so far.
    """

    def __init__(self, commands: Any, answers: Any) -> None:
        self._commands, self._answers = commands, answers
        self._sent = 0
        self._session: str | None = None
        self.requested: list[str] = []
        self.logged: list[str] = []
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._send(f"{domain}.enable")

    def open(self, address: str, width: int = 1400, height: int = 1000, **media: str) -> None:
        """Go to an address, in a window of that size, and wait until it is loaded."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self._send("Emulation.setEmulatedMedia", features=features)
        self._send("Page.navigate", url=address)
        self.ask(
            "new Promise(go => document.readyState === 'complete' ? go() : addEventListener('load', go))"
        )

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript; a promise is waited for."""
        answer = self._send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, *keys: str, shift: bool = False) -> None:
        """Press keys one after the other: characters, or names such as ``ArrowDown``."""
        for key in keys:
            named = key in _CODES
            text = _TYPED.get(key, "") if named else key
            about: dict[str, Any] = {"key": key, "modifiers": 8 if shift else 0}
            about |= {"windowsVirtualKeyCode": _CODES[key]} if named else {}
            self._send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **about)
            self._send("Input.dispatchKeyEvent", type="keyUp", **about)

    def move_to(self, selector: str, click: bool = False) -> None:
        """Move the mouse onto the beginning of an element, and click it if asked."""
        x, y = self.ask(
            f"(r => [r.x + 3, r.y + 3])(document.querySelector({json.dumps(selector)}).getClientRects()[0])"
        )
        kinds = ("mouseMoved", "mousePressed", "mouseReleased") if click else ("mouseMoved",)
        for kind in kinds:
            self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self) -> str:
        """What is seen, as PNG in base 64."""
        return str(self._send("Page.captureScreenshot")["data"])

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            answer = json.loads(self._read())
            if answer.get("id") == self._sent:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])
            self._note(answer.get("method"), answer.get("params", {}))

    def _read(self) -> bytes:
        message = bytearray()
        while not message.endswith(b"\0"):
            byte = self._answers.read(1)
            assert byte, "the browser has ended"
            message += byte
        return bytes(message[:-1])

    def _note(self, method: str | None, about: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requested.append(about["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.logged.append(str(about["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.logged.append(str(about["entry"]["text"]))


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A blank page of a new browser that keeps its files in a folder."""
    assert CHROMIUM is not None
    (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()

    def pipes() -> None:
        # The browser reads at 3 and writes at 4; out of the way first, for these may be the same numbers.
        away = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, from_write)]
        for number, end in enumerate(away, start=3):
            os.dup2(end, number)

    process = subprocess.Popen(
        [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder / 'profile'}"],
        preexec_fn=pipes,
        close_fds=False,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(from_write)
    with os.fdopen(to_write, "wb") as commands, os.fdopen(from_read, "rb") as answers:
        try:
            yield Page(commands, answers)
        finally:
            process.terminate()
            process.wait(timeout=30)
