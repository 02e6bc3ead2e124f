"""A small QR code (ISO/IEC 18004): bytes, error correction L, versions 1 to 5, which have one block each. Enough for what an
authenticator reads; longer texts have none, and are typed."""

VERSIONS = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}
"""For each version its codewords of data and of error correction."""
_FORMAT = 0b111011111000100
"""Error correction L with mask 0, its check bits included."""
_POLYNOMIAL = 0x11D


def _times(left: int, right: int) -> int:
    """A product in the field of 256 elements."""
    product = 0
    while right:
        product ^= left * (right & 1)
        left = left << 1 ^ (_POLYNOMIAL if left & 0x80 else 0)
        right >>= 1
    return product


def checks(data: list[int], count: int) -> list[int]:
    """The codewords of error correction (Reed and Solomon)."""
    generator, root = [1], 1
    for _ in range(count):
        generator = [high ^ _times(low, root) for high, low in zip([*generator, 0], [0, *generator], strict=True)]
        root = _times(root, 2)
    rest = [0] * count
    for codeword in data:
        lead = codeword ^ rest[0]
        rest = [after ^ _times(lead, term) for after, term in zip([*rest[1:], 0], generator[1:], strict=True)]
    return rest


def _codewords(text: bytes, capacity: int) -> list[int]:
    bits = f"0100{len(text):08b}" + "".join(f"{byte:08b}" for byte in text)
    bits += "0" * min(4, 8 * capacity - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    return [*data, *(0xEC if place % 2 == 0 else 0x11 for place in range(capacity - len(data)))]


def _patterns(size: int) -> dict[tuple[int, int], bool]:
    """What every code of this size has, by row and column: finders, timing, alignment, the format, and one dark module."""
    fixed = {(6, at): at % 2 == 0 for at in range(size)} | {(at, 6): at % 2 == 0 for at in range(size)}
    for top, left in ((3, 3), (3, size - 4), (size - 4, 3)):
        for row in range(max(top - 4, 0), min(top + 5, size)):
            for column in range(max(left - 4, 0), min(left + 5, size)):
                fixed[row, column] = max(abs(row - top), abs(column - left)) not in {2, 4}
    if size > 21:
        middle = size - 7
        for row in range(middle - 2, middle + 3):
            for column in range(middle - 2, middle + 3):
                fixed[row, column] = max(abs(row - middle), abs(column - middle)) != 1
    around = [*((row, 8) for row in (0, 1, 2, 3, 4, 5, 7, 8)), (8, 7), *((8, 14 - bit) for bit in range(9, 15))]
    beside = [*((8, size - 1 - bit) for bit in range(8)), *((size - 15 + bit, 8) for bit in range(8, 15))]
    for places in (around, beside):
        fixed |= {place: bool(_FORMAT >> bit & 1) for bit, place in enumerate(places)}
    return fixed | {(size - 8, 8): True}


def _path(size: int, fixed: dict[tuple[int, int], bool]) -> list[tuple[int, int]]:
    """The places of the data: up and down in columns of two, from the right; the column of the timing is left out."""
    path = []
    for number, right in enumerate([*range(size - 1, 6, -2), *range(5, 0, -2)]):
        rows = range(size) if number % 2 else range(size - 1, -1, -1)
        path += [(row, column) for row in rows for column in (right, right - 1) if (row, column) not in fixed]
    return path


def qr(text: str) -> list[str]:
    """The rows of a code, `1` for dark, without the quiet zone around it; none if the text is too long.

    >>> qr("x")[0][:7], len(qr("x")), qr("x" * 107)
    ('1111111', 21, [])
    """
    content = text.encode()
    version = next((version for version, (room, _) in VERSIONS.items() if len(content) + 2 <= room), 0)
    if not version:
        return []
    capacity, count = VERSIONS[version]
    size, data = 17 + 4 * version, _codewords(content, capacity)
    bits = "".join(f"{codeword:08b}" for codeword in [*data, *checks(data, count)])
    fixed = _patterns(size)
    modules = dict(fixed)
    path = _path(size, fixed)
    for at, (row, column) in enumerate(path):
        is_one = at < len(bits) and bits[at] == "1"
        modules[row, column] = is_one ^ ((row + column) % 2 == 0)
    return ["".join("1" if modules[row, column] else "0" for column in range(size)) for row in range(size)]
