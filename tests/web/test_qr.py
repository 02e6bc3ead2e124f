"""The QR code of a secret: read back by the standard's own steps, and drawn on the page."""

import pytest

from houseway.house.second_factor import new_secret, uri
from houseway.view.qr import VERSIONS, checks, qr


def read_back(rows: list[str]) -> str:
    """The text of a code, read as a scanner does: unmask, walk in columns of two, check, and take the bytes."""
    size = len(rows)
    version = (size - 17) // 4
    dark = [[char == "1" for char in row] for row in rows]

    def is_function(row: int, column: int) -> bool:
        finder = (row < 9 and column < 9) or (row < 9 and column >= size - 8) or (row >= size - 8 and column < 9)
        near = version > 1 and abs(row - (size - 7)) <= 2 and abs(column - (size - 7)) <= 2
        return finder or near or row == 6 or column == 6

    bits, column, up = [], size - 1, True
    while column > 0:
        if column == 6:
            column -= 1
        for step in range(size):
            row = size - 1 - step if up else step
            for x in (column, column - 1):
                if not is_function(row, x):
                    bits.append(dark[row][x] != ((row + x) % 2 == 0))
        column, up = column - 2, not up
    words = [int("".join("01"[bit] for bit in bits[at : at + 8]), 2) for at in range(0, len(bits) // 8 * 8, 8)]
    room, count = VERSIONS[version]
    data, correction = words[:room], words[room : room + count]
    assert checks(data, count) == correction
    stream = "".join(f"{word:08b}" for word in data)
    assert stream[:4] == "0100"
    length = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * at : 20 + 8 * at], 2) for at in range(length)).decode()


def test_error_correction_is_that_of_the_standard() -> None:
    """The worked example that every tutorial has: HELLO WORLD, 1-M."""
    data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    assert checks(data, 10) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]


def test_the_format_is_told_twice_and_is_that_of_l_with_mask_0() -> None:
    rows = qr("x" * 60)
    size = len(rows)
    first = [rows[8][column] for column in (0, 1, 2, 3, 4, 5, 7, 8)] + [rows[row][8] for row in (7, 5, 4, 3, 2, 1, 0)]
    second = [rows[row][8] for row in range(size - 1, size - 8, -1)] + [rows[8][column] for column in range(size - 8, size)]
    assert "".join(first) == "".join(second) == "111011111000100"


@pytest.mark.parametrize("length", [1, 17, 18, 32, 33, 53, 54, 78, 79, 106])
def test_texts_of_all_versions_are_read_back(length: int) -> None:
    text = ("otpauth://totp/Zoë?" * 10)[: length - 1].encode()[: length - 1].decode(errors="ignore")
    assert read_back(qr(text)) == text


def test_what_is_too_long_has_no_code_and_usual_names_have_one() -> None:
    assert qr("x" * 107) == []
    for name in ("Ada", "Zoë O'Neil", "A" * 24):
        wanted = uri(new_secret(), name)
        assert read_back(qr(wanted)) == wanted
