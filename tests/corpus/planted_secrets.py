"""Credentials that were never any, put together at run time so that no scanner finds one in these files."""

from __future__ import annotations

import base64
import json
import random
import string

_ALL = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def drawn(seed: int, length: int, alphabet: str = _ALL) -> str:
    """Characters that look random and are the same each time, all kinds of the alphabet among them."""
    source = random.Random(seed)
    while True:
        text = "".join(source.choice(alphabet) for _ in range(length))
        classes = (str.isdigit, str.isupper, str.islower)
        wanted = [each for each in classes if any(map(each, alphabet))]
        if all(any(map(each, text)) for each in wanted):
            return text


def _base64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


JSON_WEB_TOKEN = f"{_base64({'alg': 'HS256'})}.{_base64({'sub': 'ferry-7'})}.{drawn(1, 43)}"

TOKENS: dict[str, str] = {
    "anthropic_key": "sk-" + "ant-api03-" + drawn(2, 60),
    "aws_access_key": "AK" + "IA" + drawn(3, 16, string.ascii_uppercase + string.digits),
    "digitalocean_token": "dop" + "_v1_" + drawn(4, 64, _HEX),
    "discord_bot_token": base64.b64encode(b"812345678901234567").decode()
    + "."
    + drawn(5, 6)
    + "."
    + drawn(6, 27),
    "docker_token": "dckr" + "_pat_" + drawn(7, 27),
    "github_token": "gh" + "p_" + drawn(8, 36),
    "gitlab_token": "gl" + "pat-" + drawn(9, 20),
    "google_api_key": "AI" + "za" + drawn(10, 35),
    "hugging_face_token": "h" + "f_" + drawn(11, 34),
    "json_web_token": JSON_WEB_TOKEN,
    "mailchimp_key": drawn(12, 32, _HEX) + "-us" + "14",
    "npm_token": "np" + "m_" + drawn(13, 36),
    "openai_token": "sk" + "-" + drawn(14, 20) + "T3Blbk" + "FJ" + drawn(15, 20),
    "pypi_token": "py" + "pi-AgEIcHlwaS5vcmc" + drawn(16, 90),
    "sendgrid_key": "S" + "G." + drawn(17, 22) + "." + drawn(18, 43),
    "slack_token": "xo" + "xb-" + "123456789012-" + drawn(19, 24),
    "slack_webhook": "https://hooks."
    + "slack.com/services/T"
    + drawn(20, 8)
    + "/B"
    + drawn(21, 8)
    + "/"
    + drawn(22, 24),
    "square_oauth_secret": "sq0" + "csp-" + drawn(23, 43),
    "stripe_key": "sk" + "_live_" + drawn(24, 40),
    "telegram_bot_token": "812345678" + ":AA" + drawn(25, 33),
    "twilio_key": "S" + "K" + drawn(26, 32, _HEX),
}
"""By kind: what is a secret by its shape alone."""

PASSWORD = drawn(30, 14)
SECRET_VALUE = drawn(31, 40)
BEARER = drawn(32, 40)
URL_PASSWORD = drawn(33, 16)
AZURE = drawn(34, 86) + "=="
AWS_SECRET = drawn(35, 40)

_BODY = [drawn(40 + row, 64) for row in range(12)]
PRIVATE_KEY = "\n".join(
    ["-----BEGIN RSA PRIV" + "ATE KEY-----", *_BODY, "-----END RSA PRIV" + "ATE KEY-----"]
)
"""A block of PEM, without a line end behind it."""

KEY_LINES = tuple(_BODY)
"""Each line of it is a secret of its own."""

IN_CONTEXT: dict[str, tuple[str, str]] = {
    "authorization_header": ("curl -H 'Authorization: Bear" + f"er {BEARER}' /", BEARER),
    "aws_secret_key": (f'aws.config({{ keyAndToken: "{AWS_SECRET}" }})', AWS_SECRET),
    "azure_storage_key": (f"AccountName=harbour;AccountKey={AZURE};EndpointSuffix=net", AZURE),
    "password": (f'const dbPassword = "{PASSWORD}"', PASSWORD),
    "secret_value": (f'{{"clientSecret": "{SECRET_VALUE}"}}', SECRET_VALUE),
    "url_password": (f"postgres://harbour:{URL_PASSWORD}@db.internal:5432/x", URL_PASSWORD),
    "private_key": (PRIVATE_KEY, PRIVATE_KEY),
}
"""By kind: a text, and what in it is the secret."""
