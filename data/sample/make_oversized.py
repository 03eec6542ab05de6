"""Write the sample's oversized file, just above the 200,000 bytes at which the profiles stop.

The file is committed, so nobody has to run this; it says where the bytes come from, and a test compares them.
No random numbers and no clock: the same bytes on any machine. What does not belong here: the other oddities
of the sample, which are small enough to be read.
"""

from __future__ import annotations

import json
from pathlib import Path

CAP = 200_000
"""Bytes that the profiles ``js_vue_rag`` and ``ingestion`` still take."""

TARGET = Path(__file__).parent / "harbour" / "test" / "data" / "port-calls.json"
SHIPS = ("Zeemeeuw", "Aldis Light", "Margrete", "Sint Joris", "Kittiwake", "Noordster", "Fair Isle")
STATES = ("requested", "granted", "refused", "moored", "sailed")


def port_call(number: int) -> dict[str, object]:
    """The port call of that number, counted from 0."""
    day, hour = divmod(number * 7, 24)
    return {
        "reference": f"HB-2030-{number:04d}",
        "vessel": SHIPS[number % len(SHIPS)],
        "berth": f"{'NS'[number % 2]}{number % 17 + 1}",
        "arrival": f"2030-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d}T{hour:02d}:00:00Z",
        "draught": round(2.5 + number % 61 / 10, 1),
        "state": STATES[number % len(STATES)],
    }


def oversized() -> bytes:
    """A JSON list of port calls, the first whose size is above the cap."""
    lines: list[str] = []
    size = len("[\n\n]\n")
    while size <= CAP:
        lines.append(f"  {json.dumps(port_call(len(lines)))}")
        size += len(lines[-1]) + (2 if len(lines) > 1 else 0)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


if __name__ == "__main__":
    TARGET.write_bytes(oversized())
