"""The second factor: a code that changes every thirty seconds (TOTP, RFC 6238 with its usual six digits and SHA-1), and
recovery codes for the day on which the telephone is lost. A code counts once: the step it was made for is remembered."""

import base64
import hashlib
import hmac
import secrets
from urllib.parse import quote

STEP_SECONDS, DIGITS, SECRET_BYTES, RECOVERY_CODES = 30, 6, 20, 10
STEPS_AROUND = 1
"""Clocks differ: the code of the step before and of the step after are taken too."""
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""What recovery codes are made of: nothing that is read as something else."""


def new_secret() -> str:
    """A secret of 160 bits, as authenticators take it."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def code_at(secret: str, step: int, digits: int = DIGITS) -> str:
    """The code of a step (RFC 4226, 5.3).

    >>> code_at("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 1, digits=8)
    '94287082'
    """
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    place = mac[-1] & 0xF
    number = int.from_bytes(mac[place : place + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: str, code: str, at: float, used: int) -> int | None:
    """The step that a code is of, if it is of about now and newer than the last one used."""
    now = int(at) // STEP_SECONDS
    plain = "".join(code.split())
    for step in range(now - STEPS_AROUND, now + STEPS_AROUND + 1):
        if step > used and hmac.compare_digest(code_at(secret, step).encode(), plain.encode()):
            return step
    return None


def uri(secret: str, name: str, house: str = "Houseway") -> str:
    """What an authenticator reads: `otpauth://totp/...`; six digits, thirty seconds and SHA-1 are understood."""
    return f"otpauth://totp/{quote(house)}:{quote(name)}?secret={secret}&issuer={quote(house)}"


def new_recovery_codes() -> list[str]:
    """Codes that each count once, of 59 bits: `abcd-efgh-jkmn`."""
    return ["-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3)) for _ in range(RECOVERY_CODES)]


def digest(code: str) -> str:
    """What is kept of a recovery code. It is random and long: a plain hash is enough."""
    plain = "".join(char for char in code.casefold() if char.isalnum())
    return hashlib.sha256(f"houseway-recovery|{plain}".encode()).hexdigest()
