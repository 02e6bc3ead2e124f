"""Passwords: what is good enough, and how they are kept.

Twelve characters or more, and no less than eight that are not easily guessed. With Argon2id a guess costs a computer that stole
the hashes about a twentieth of a second: eight characters that are neither words of the list below nor runs of the keyboard
then take longer than a career, and twelve leave room for the words that people put in anyway. There is no rule about capitals
or signs: such rules make `Password1!`, and a sentence of plain words is better than that.
"""

import re
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from houseway.refusal import Refused

PASSWORD_LEAST, PASSWORD_MOST, UNGUESSED_LEAST = 12, 200, 8
_WORDS = """
abc abcd access account ace aces admin administrator alex alpha amanda america andrew android angel angels ann anna
anthony apple april arsenal asdf ashley auditor august autumn azerty baby banana banker barcelona baseball
basketball batman battery berlin bienvenue black blessed blue bob bonjour boston bravo brother buddy cage
california cash cashier casino change changeme changethis charlie cheese chelsea cherry chicago chips chocolate christ
church cisco coffee computer contrasena cookie correct correcthorse corvette cowboys crazy croupier dallas daniel
david dealer debian december default delta demo diamond dollar dragon eagle emma enter evening facebook
faith falcon fall family father february ferrari floor flower football forever freedom friday friend friends gambler
games gaming gandalf george ginger gold golden golf google green guest hannah happy harley heaven hello hobbit hockey
honda horse house houseway hunter iloveu iloveyou instagram internet jack jackpot james january java jennifer jessica
jesus john joker jordan joshua july june killer king kings lakers lasvegas laura letme letmein liberty linux lion
liverpool login logon london love lovely loveyou lucky macau madrid maggie magic manager march maria master
matrix matthew max mercedes merlin michael michelle microsoft mistress monday money monkey morning moscow motdepasse
mother mustang nevada newyork nicole night ninja nobody nothing november october office omega open opensesame oracle
orange panther paris parola passphrase passwd password passwort patriots paul pepper peter phoenix player
please pokemon poker porsche postgres postgresql prince princess private purple python queen queens qwer qwerty qwertz
ranger red redsox robert root rose roulette sam samantha samsung samurai sarah saturday seattle secret secure security
september server sesame seven sevens shadow silver sister smile soccer soldier something sorry spiderman spring sqlite
staple startrek starwars steelers summer sunday sunshine superman supervisor system table tables tennis test tester
testing texas thanks thomas thursday tiger today tokyo tom tomorrow toyota trust trustno tuesday twitter ubuntu user
vegas warrior washington wednesday welcome whatever white william willkommen windows winner winter wizard xyz yamaha
yankees yellow yesterday youtube zxcv
"""
COMMON = frozenset(_WORDS.split())
"""Words that stand in every list of passwords that were stolen, the words of this trade, and their kin."""
_RUNS = (
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "yxcvbnm",
    "azertyuiop",
    "abcdefghijklmnopqrstuvwxyz",
    "1234567890",
)
_LEET = str.maketrans("013457@$!|", "oieastasil")
_LONGEST = max(map(len, COMMON))
_RUN_LEAST = 3
HASHER = PasswordHasher()


def _known_words(name: str) -> set[str]:
    """What is in the list, and the name of whose password it is."""
    parts = re.split(r"[\W_]+", name.casefold())
    return {word for word in {*parts, "".join(parts)} if len(word) >= _RUN_LEAST}


def _piece(text: str, plain: str, at: int, words: frozenset[str] | set[str]) -> int:
    """How long the easily guessed piece is that begins here: a word, a run of the keyboard, a repetition, a year."""
    longest = 1
    for length in range(min(len(text) - at, max(_LONGEST, 40)), _RUN_LEAST - 1, -1):
        if text[at : at + length] in words or plain[at : at + length] in words:
            longest = length
            break
    for run in _RUNS:
        for line in (run * 2, run[::-1] * 2):
            length = longest
            while at + length < len(text) and text[at : at + length + 1] in line:
                length += 1
            longest = max(longest, length if length >= _RUN_LEAST else 1)
    for period in range(1, 7):  # aaaa, abab, abcabc
        length = period
        while at + length < len(text) and text[at + length] == text[at + length - period]:
            length += 1
        longest = max(longest, length if length >= max(2 * period, _RUN_LEAST) else 1)
    year = re.match(r"(19|20)\d\d", text[at:])
    return max(longest, 4 if year else 1)


def unguessed(password: str, name: str = "") -> int:
    """How many characters of a password must really be guessed: a common word, the name, a run, a repetition or a year counts
    as one, however long it is.

    >>> unguessed("Password1234")
    2
    >>> unguessed("P4ssw0rd!2026")
    3
    >>> unguessed("green felt and 3 blue doors") >= 8
    True
    """
    text = unicodedata.normalize("NFKC", password).casefold()
    plain, words, at, count = text.translate(_LEET), COMMON | _known_words(name), 0, 0
    while at < len(text):
        at += _piece(text, plain, at, words)
        count += 1
    return count


def check_password(password: str, name: str) -> None:
    """Refuse a password that is too short, too long, or too easily guessed."""
    if not PASSWORD_LEAST <= len(password) <= PASSWORD_MOST:
        raise Refused("bad-password", f"a password has {PASSWORD_LEAST} to {PASSWORD_MOST} characters")
    if unguessed(password, name) < UNGUESSED_LEAST:
        raise Refused(
            "common-password",
            "this password is easily guessed (common words, the name, rows of keys and years count little): "
            "take a sentence of your own, such as four words that have nothing to do with each other",
        )


def hashed(password: str) -> str:
    """What is kept of a password: Argon2id, with a salt of its own."""
    return HASHER.hash(password)


def is_right(kept: str, password: str) -> bool:
    """Whether this is the password."""
    try:
        return HASHER.verify(kept, password[:PASSWORD_MOST])
    except (VerificationError, InvalidHashError):
        return False
