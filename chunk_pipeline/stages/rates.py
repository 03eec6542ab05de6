"""How fast this machine has been at each kind of work: what ``plan`` tells times from.

Kept beside the git mirrors, apart from the tables: no result depends on it, and it may be deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from upath import UPath

from chunk_pipeline.warehouse.atomic import write_bytes

FILE = "rates.json"

KEPT = 0.5
"""Weight of what was measured before against one more measurement: machines and corpora change."""


class Rate(BaseModel):
    """Work and the time that it took.

    Attributes:
        amount: Items, weighted.
        seconds: Seconds, weighted likewise.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    amount: float
    seconds: float

    def seconds_for(self, amount: int) -> float:
        """How long so much work would take."""
        return self.seconds / self.amount * amount if self.amount else 0.0


_RATES = TypeAdapter(dict[str, Rate])


def rates(cache: Path) -> Mapping[str, Rate]:
    """The measured rates by the kind of work; none where nothing was measured or the file is damaged."""
    try:
        return _RATES.validate_json((cache / FILE).read_bytes())
    except (OSError, ValidationError):
        return {}


def note_rate(cache: Path, work: str, amount: int, seconds: float) -> None:
    """Take a measurement into account; one that cannot be kept is lost and nothing else is."""
    if amount <= 0:
        return
    known = dict(rates(cache))
    before = known.get(work, Rate(amount=0, seconds=0))
    known[work] = Rate(amount=before.amount * KEPT + amount, seconds=before.seconds * KEPT + seconds)
    written = {name: rate.model_dump() for name, rate in sorted(known.items())}
    try:
        write_bytes(UPath(cache / FILE), orjson.dumps(written, option=orjson.OPT_INDENT_2))
    except OSError:
        return
