"""Which kinds of secrets there are, what may be done about them, and what is written in their place.

How they are found does not belong here (``detection``); nor what becomes of a file (``treatment``).
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Policy = Literal["skip", "redact", "flag", "off"]
"""What becomes of a secret: its file is left out, it is replaced, it is only listed, or nobody looks."""

TOKEN_KINDS = (
    "anthropic_key",
    "aws_access_key",
    "aws_secret_key",
    "azure_storage_key",
    "digitalocean_token",
    "discord_bot_token",
    "docker_token",
    "github_token",
    "gitlab_token",
    "google_api_key",
    "hugging_face_token",
    "json_web_token",
    "mailchimp_key",
    "npm_token",
    "openai_token",
    "pypi_token",
    "sendgrid_key",
    "slack_token",
    "slack_webhook",
    "square_oauth_secret",
    "stripe_key",
    "telegram_bot_token",
    "twilio_key",
)
"""Credentials of a shape of their own."""

CONTEXT_KINDS = ("authorization_header", "password", "private_key", "secret_value", "url_password")
"""Credentials that their surroundings tell: a marker, a key's name, a place in a URL."""

FILE_KINDS = ("credentials_file", "environment_file", "private_key_file")
"""Files that are credentials as a whole."""

KINDS = tuple(sorted((*TOKEN_KINDS, *CONTEXT_KINDS, *FILE_KINDS)))
"""Every kind, by name."""

MARK = "REDACTED:"
"""What every placeholder holds."""


def placeholder(kind: str) -> str:
    """What is written in a secret's place.

    Round brackets: in square ones it would be a list in YAML and no host name's neighbour in a URL.
    """
    return f"({MARK}{kind})"


def _known(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"there is no kind of secret {kind!r}; write one of {', '.join(KINDS)}")
    return kind


class AllowedSecret(BaseModel):
    """What looks like a secret, and is none: a person said so.

    Attributes:
        path: Paths where it stands; ``*`` is any number of any characters, slashes too, ``?`` is one.
        kind: What it looks like.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, AfterValidator(_known)]

    def covers(self, path: str, kind: str) -> bool:
        """Whether it speaks of that kind in that file."""
        return kind == self.kind and fnmatchcase(path, self.path)
