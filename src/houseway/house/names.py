"""What people may be called: one rule for guests, for the staff and for the shell.

A name is kept in its normal form (NFKC: wide letters, ligatures and the like become plain ones), without spaces around it. Two
names that look alike are one name, and the first who has it keeps it. Whether they look alike is told by their *skeletons*, in
the manner of Unicode's technical standard 39: every letter is replaced by what it is easily taken for. The table is small and
our own; it merges rather too much than too little, for whoever is refused only chooses another name.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from houseway.refusal import Refused

NAME_MOST = 24
SEPARATORS = " .-_'"
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters that nobody sees."""
RESERVED = (
    "administrator", "admin", "root", "system", "operator", "office", "manager", "management", "owner", "staff", "support",
    "house", "houseway", "casino", "bank", "banker", "player", "tie", "cage", "cashier", "floor", "supervisor", "pit",
    "pit boss", "dealer", "croupier", "door", "doorman", "security", "surveillance", "auditor", "audit", "regulator",
    "inspector", "guest", "nobody", "anybody", "everybody", "somebody", "you", "demo", "demo cage", "demo floor",
    "demo office", "shell", "tray", "outside", "journal", "table", "board",
)  # fmt: skip
"""Names of the house's own parts, roles and helpers: whoever is called so could be taken for them."""

LOOKS_LIKE = {
    "l": "iIl1|!ıɩӀӏІіЇїΙιΐϊǀǃꟾꞁ",
    "o": "oO0ØøοОоσΟΘθѳөծօ",
    "a": "aAаАαΑɑ",
    "b": "bBвВьЬβΒЪъ",
    "c": "cCсСϲс",
    "e": "eEеЕёεΕєЄɛ",
    "g": "gGɡ9",
    "h": "hHнНһҺηΗ",
    "j": "jJјЈϳ",
    "k": "kKкКκΚ",
    "m": "mMмМμΜ",
    "n": "nNпПνΝ",
    "p": "pPрРρΡ",
    "s": "sSѕЅ5$ꜱ",
    "t": "tTтТτΤ",
    "v": "vVѵѴ",
    "w": "wWшШщЩωѡ",
    "x": "xXхХχΧ",
    "y": "yYуУүγΥυ",
    "z": "zZзЗ2ζΖʐ",
    "d": "dDԁժ",
    "q": "qQԛ",
    "u": "uUսυ",
    "r": "rRгГ",
}
"""Each letter with what is taken for it: capitals, digits, and letters of Greek, Cyrillic and Armenian."""
_SKELETON = {ord(char): letter for letter, chars in LOOKS_LIKE.items() for char in chars}
_LATIN = re.compile(r"LATIN (?:CAPITAL|SMALL) LETTER ([A-Z]|AE)(?: WITH .+)?|LATIN LETTER SMALL CAPITAL (?:BARRED )?([A-Z]|AE)")
"""How Unicode calls the forms of a plain letter: with a stroke, a hook or a tail, and small capitals."""
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
WRITINGS = {
    "ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI",
    "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "IDEOGRAPHIC", "KANNADA", "KATAKANA", "KATAKANA-HIRAGANA", "KHMER", "LAO",
    "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN",
}  # fmt: skip
"""Those that Unicode recommends for names (UAX 31); of the others some have alphabets that look Latin, as Lisu and Coptic."""
_WRITTEN_TOGETHER = ({"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "LATIN"},)
"""Writings that one name may mix; any other mixture exists to deceive (a Cyrillic letter within a Latin word)."""


@lru_cache(maxsize=65_536)
def skeleton(name: str) -> str:
    """What a name looks like: two names with one skeleton are easily taken for each other.

    >>> skeleton("Croupier") == skeleton("cr0up1er") == skeleton("Сгоuріеr") == skeleton(" c.r.o.u.p.i.e.r ")
    True
    >>> skeleton("Ann") == skeleton("Anna")
    False
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
    letters = "".join(char for char in plain if unicodedata.category(char)[0] in "LNS" or char in "!|")
    looks = "".join(map(_plain_letter, letters.translate(_SKELETON))).casefold().translate(_SKELETON)
    for pair, letter in _PAIRS:
        looks = looks.replace(pair, letter)
    return looks


@lru_cache(maxsize=4096)
def _plain_letter(char: str) -> str:
    """The plain letter that one of Latin's many is a form of, in small; any other as it is."""
    form = None if char.isascii() else _LATIN.fullmatch(unicodedata.name(char, ""))
    return (form[1] or form[2]).lower() if form else char


_RESERVED_LOOKS = {skeleton(name): name for name in RESERVED}


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """One of the others that a name is or looks like."""
    looks = skeleton(name)
    return next((other for other in others if skeleton(other) == looks), None)


def is_reserved(name: str) -> bool:
    """Whether a name is, or looks like, one of the house's own."""
    return skeleton(name) in _RESERVED_LOOKS


def normal(name: str) -> str:
    """A name in its normal form: NFKC, and no spaces around it."""
    return unicodedata.normalize("NFKC", name).strip(" ")


def good_name(name: str, reserved: bool = False) -> str:
    """The name in its normal form: letters of one writing, digits, spaces and . - _ ' only; none of the house's own, but for
    its first accounts (`reserved`).

    >>> good_name(" Ａｎｎ ")
    'Ann'
    """
    plain, given = normal(name), unicodedata.normalize("NFC", name)  # a space that does not break would become a plain one
    fine = all((unicodedata.category(char)[0] in "LN" and char not in _FILLERS) or char in SEPARATORS for char in given + plain)
    if not plain or len(plain) > NAME_MOST or not fine or not skeleton(plain) or "  " in plain:
        raise Refused("bad-name", f"choose a name of 1 to {NAME_MOST} letters, digits, spaces or . - _ '")
    writings = _writings(plain)
    if unusual := writings - WRITINGS:
        raise Refused("bad-name", f"choose a name in letters that are in wide use: {unusual.pop().title()} is not taken here")
    if len(writings) > 1 and not any(writings <= together for together in _WRITTEN_TOGETHER):
        raise Refused(
            "bad-name", f"choose a name in one writing: this one mixes {' and '.join(sorted(map(str.title, writings)))}"
        )
    if not reserved and is_reserved(plain):
        raise Refused("name-reserved", f"{plain} could be taken for a part of the house: choose another name")
    return plain


def check_free(name: str, others: Iterable[str]) -> None:
    """Refuse a name that somebody has, or that looks like somebody's. Whose it is like is told to nobody."""
    if look_alike(name, others) is not None:
        raise Refused("name-taken", f"somebody here is called {name}, or nearly so: choose another name")


def check_new_guest(name: str, known: Iterable[str], staff: Iterable[str] = ()) -> None:
    """Refuse to write a guest into the books under a name that is not in its normal form, is hidden in part, is the house's
    own, or looks like one that is there or of somebody of the staff, who is not named."""
    if not all(char == " " or unicodedata.category(char)[0] in "LNPSM" for char in name) or any(f in name for f in _FILLERS):
        raise Refused(
            "bad-name", "a guest's name holds letters, digits, marks and single spaces, and nothing that cannot be seen"
        )
    plain = " ".join(normal(name).split())
    if plain != name:
        raise Refused("bad-name", f'write the guest\'s name as "{plain}": without spaces around it, in plain letters')
    if is_reserved(name):
        raise Refused("name-reserved", f"{name} could be taken for a part of the house: write the guest's own name")
    if (other := look_alike(name, known)) is not None:
        raise Refused("name-taken", f"{name} looks like {other}, who is in the books: write that, or tell them apart by more")
    if look_alike(name, staff) is not None:
        raise Refused("name-taken", f"{name} could be taken for somebody of the staff: tell them apart by more")


def _writings(name: str) -> set[str]:
    """The writings (scripts) of a name's letters, by the first word of what Unicode calls each."""
    return {unicodedata.name(char, "UNKNOWN").split()[0] for char in name if unicodedata.category(char)[0] == "L"}
