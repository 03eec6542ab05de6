"""Credentials of a shape of their own: words that begin in a certain way, and that a plugin takes for one.

The plugins are those of detect-secrets, made here without its settings, which are global. They give values,
not places, and some take time that grows with the square of a line: each is only asked about one word. Where
they know no shape (newer tokens), the shape is ours.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from chunk_pipeline.corpus.secrets.secret import Secret, secret_at
from chunk_pipeline.corpus.secrets.values import is_filler

_WORD = r"[A-Za-z0-9_\-]"
_SHAPE = "token_shape"
"""Detector of the kinds that the plugins do not know: a shape of ours is all that is asked for."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Words that begin in a certain way may be credentials of a kind.

    Attributes:
        kind: Of ``TOKEN_KINDS``.
        begins: What such a word begins with; searched for as it stands, which is fast.
        goes_on: How far it goes, as a pattern that takes no time for trying again.
        detector: Plugin as ``module.Class``, or the name of a rule of ours.
        leave: Characters at the beginning that are no part of the value.
    """

    kind: str
    begins: str
    goes_on: str
    detector: str = _SHAPE
    leave: int = 0

    @property
    def pattern(self) -> re.Pattern[str]:
        """The whole word. It begins after no letter or digit, unless an escape ends with that."""
        begins = re.escape(self.begins)
        no_word = rf"(?<![A-Za-z0-9]{begins})|(?<=\\[nrtbf]{begins})|(?<=%[0-9A-Fa-f][0-9A-Fa-f]{begins})"
        return re.compile(f"{begins}(?:{no_word}){self.goes_on}")


_RULES = (
    _Rule("anthropic_key", "sk-ant-", rf"{_WORD}{{24,}}+"),
    _Rule(
        "aws_access_key", "A", r"(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Z0-9])", "aws.AWSKeyDetector"
    ),
    _Rule(
        "azure_storage_key",
        "AccountKey=",
        r"[A-Za-z0-9+/]{86}==",
        "azure_storage_key.AzureStorageKeyDetector",
        leave=len("AccountKey="),
    ),
    _Rule("digitalocean_token", "do", r"[opr]_v1_[a-f0-9]{64}"),
    _Rule("docker_token", "dckr_pat_", rf"{_WORD}{{20,}}+"),
    _Rule("github_token", "gh", r"[pousr]_[A-Za-z0-9_]{36,}+", "github_token.GitHubTokenDetector"),
    _Rule("github_token", "github_pat_", r"[A-Za-z0-9_]{40,}+"),
    _Rule(
        "gitlab_token",
        "gl",
        rf"(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-{_WORD}{{20,}}+",
        "gitlab_token.GitLabTokenDetector",
    ),
    _Rule("gitlab_token", "GR1348941", rf"{_WORD}{{20,}}+", "gitlab_token.GitLabTokenDetector"),
    _Rule("google_api_key", "AIza", rf"{_WORD}{{35}}(?!{_WORD})"),
    _Rule("hugging_face_token", "hf_", r"[A-Za-z0-9]{34,}+"),
    _Rule(
        "json_web_token",
        "eyJ",
        r"[A-Za-z0-9_=\-]++\.[A-Za-z0-9_=\-]++(?:\.[A-Za-z0-9_=\-]*+)?",
        "jwt.JwtTokenDetector",
    ),
    _Rule("npm_token", "npm_", r"[A-Za-z0-9]{36,}+"),
    _Rule("openai_token", "sk-", rf"{_WORD}{{40,1000}}+", "openai.OpenAIDetector"),
    _Rule("pypi_token", "pypi-Ag", rf"{_WORD}{{70,}}+", "pypi_token.PypiTokenDetector"),
    _Rule("sendgrid_key", "SG.", rf"{_WORD}++\.{_WORD}++", "sendgrid.SendGridDetector"),
    _Rule("slack_token", "xox", r"[a-z]-[A-Za-z0-9\-]++", "slack.SlackDetector"),
    _Rule("slack_token", "xapp-", r"\d-[A-Za-z0-9\-]{20,}+"),
    _Rule("slack_webhook", "https://hooks.slack.com/services/", r"T\w++/B\w++/\w++", "slack.SlackDetector"),
    _Rule("square_oauth_secret", "sq0csp-", rf"{_WORD}{{43,}}+", "square_oauth.SquareOAuthDetector"),
    _Rule("stripe_key", "sk_live_", r"[A-Za-z0-9]{24,}+", "stripe.StripeDetector"),
    _Rule("stripe_key", "rk_live_", r"[A-Za-z0-9]{24,}+", "stripe.StripeDetector"),
    _Rule("twilio_key", "SK", r"[a-f0-9]{32}(?![A-Za-z0-9])", "twilio.TwilioKeyDetector"),
)
_PATTERNS = tuple((rule, rule.pattern) for rule in _RULES)

_NEW_WORD = r"(?:(?<![0-9A-Za-z_\-])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
"""A place where a word begins, behind an escape too."""

_MAILCHIMP = re.compile(rf"{_NEW_WORD}[0-9a-f]{{32}}-us\d{{1,2}}(?!\d)")
_TELEGRAM = re.compile(rf"{_NEW_WORD}\d{{8,10}}:AA{_WORD}{{33}}(?!{_WORD})")
_DISCORD_HEAD = re.compile(rf"{_NEW_WORD}[MNO]{_WORD}{{23,25}}\Z")
_DISCORD_TAIL = re.compile(rf"\.{_WORD}{{6}}\.{_WORD}{{27,38}}(?!{_WORD})")
_AWS_SECRET = re.compile(
    r"aws[^\n]{0,20}?(?:key|pwd|pw|password|pass|token)[^\n]{0,20}?['\"]([0-9a-zA-Z/+]{40})['\"]",
    re.IGNORECASE,
)


def tokens(text: str) -> Iterator[Secret]:
    """Every credential of a shape of its own; spans may overlap."""
    yield from _prefixed(text)
    if "-us" in text:
        yield from _matching(text, _MAILCHIMP, "mailchimp_key", "mailchimp.MailchimpDetector")
    if ":AA" in text:
        yield from _matching(text, _TELEGRAM, "telegram_bot_token", "telegram_token.TelegramBotTokenDetector")
    yield from _discord(text)
    yield from _aws_secrets(text)


def _prefixed(text: str) -> Iterator[Secret]:
    for rule, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            word = match[0]
            if not is_filler(word[len(rule.begins) :]) and _asked(rule.detector)(word):
                start, end = match.span()
                yield secret_at(text, start + rule.leave, end, rule.kind, rule.detector.rpartition(".")[2])


def _matching(text: str, pattern: re.Pattern[str], kind: str, detector: str) -> Iterator[Secret]:
    for match in pattern.finditer(text):
        if not is_filler(match[0]) and _asked(detector)(match[0]):
            yield secret_at(text, *match.span(), kind, detector.rpartition(".")[2])


def _discord(text: str) -> Iterator[Secret]:
    for tail in _DISCORD_TAIL.finditer(text):
        # What it begins with is looked for backwards: a dot is rarer than a capital.
        head = _DISCORD_HEAD.search(text[max(0, tail.start() - 29) : tail.start()])
        if head is None or not _names_a_number(head[0]):
            continue
        start = tail.start() - len(head[0])
        if _asked("discord.DiscordBotTokenDetector")(text[start : tail.end()]):
            yield secret_at(text, start, tail.end(), "discord_bot_token", "DiscordBotTokenDetector")


def _aws_secrets(text: str) -> Iterator[Secret]:
    if "aws" not in text and "AWS" not in text and "Aws" not in text:
        return
    for match in _AWS_SECRET.finditer(text):
        value = match[1]
        # Of a digest, which has as many characters, all letters have one case.
        mixed = any(each.isupper() for each in value) and any(each.islower() for each in value)
        if mixed and not is_filler(value):
            yield secret_at(text, *match.span(1), "aws_secret_key", "AWSKeyDetector")


def _names_a_number(part: str) -> bool:
    """Whether a part is the number of an account in base64, with which a bot's token begins."""
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).isdigit()
    except (ValueError, binascii.Error):
        return False


@lru_cache(maxsize=64)
def _asked(detector: str) -> Callable[[str], bool]:
    """What says whether a word is a credential: the plugin of that name; of a rule of ours its shape."""
    module, _, name = detector.rpartition(".")
    if not module:
        return lambda word: True
    plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
    return lambda word: next(iter(plugin.analyze_string(word)), None) is not None
