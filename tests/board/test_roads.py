"""Roads against vectors worked out by hand, against a second definition, and against what must never happen."""

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.board import (
    CYCLES,
    Cell,
    Scorecard,
    bead_plate,
    big_road,
    derived,
    derived_road,
    next_hand,
)
from houseway.games import game
from houseway.refusal import Refused

RESULTS = game("ez_baccarat").face.results
parse_hands, hand_of = RESULTS.parse_hands, RESULTS.hand
BIG_EYE, SMALL, COCKROACH = CYCLES
P8_B8_P8 = "P" * 8 + "B" * 8 + "P" * 8


def places(cells):
    return [(cell.column, cell.row) for cell in cells]


def colours(text, cycle):
    return "".join(derived(parse_hands(text), cycle))


# The second definition: marks on a sheet without a bottom, looked at cell by cell. No run is ever measured.


def sheet_of(winners):
    """(column, row) of every non-tie hand in the order played, each run straight down."""
    runs = (len(list(run)) for _, run in groupby(w for w in winners if w != "T"))
    return [(column, row) for column, length in enumerate(runs) for row in range(length)]


def reference_derived(winners, cycle):
    filled, found = set(), []
    for column, row in sheet_of(winners):
        if row == 0:
            left, other = column - 1, column - 1 - cycle
            if other >= 0:
                rows = [{r for c, r in filled if c == wanted} for wanted in (left, other)]
                found.append("R" if rows[0] == rows[1] else "B")
        elif column - cycle >= 0:
            beside, above = (column - cycle, row) in filled, (column - cycle, row - 1) in filled
            found.append("R" if beside == above else "B")
        filled.add((column, row))
    return found


def check_drawing(marks, drawn, rows):
    """Every run is one stroke down and one stroke right, the first as long as it can be; runs start as far left as they can."""
    taken, start_before, number = set(), -1, 0
    for _, run in groupby(marks):
        length = len(list(run))
        stroke = drawn[number : number + length]
        number += length
        start = stroke[0][0]
        assert start > start_before
        assert stroke[0][1] == 0
        assert all((column, 0) in taken for column in range(start_before + 1, start)), "a free column was passed over"
        down = [place for place in stroke if place[0] == start]
        depth = len(down)
        assert down == [(start, row) for row in range(depth)]
        assert stroke[depth:] == [(start + 1 + n, depth - 1) for n in range(length - depth)]
        if depth < length:
            assert depth == rows or (start, depth) in taken, "turned although the cell below was free"
        assert depth <= rows
        assert taken.isdisjoint(stroke)
        taken.update(stroke)
        start_before = start
    assert number == len(drawn)


@st.composite
def any_hand(draw):
    winner = draw(st.sampled_from("BBBPPPT"))
    bonus = winner != "T" and draw(st.integers(0, 9)) == 0
    pairs = draw(st.tuples(st.booleans(), st.booleans()))
    natural = not bonus and draw(st.booleans())
    flags = ["7" * (bonus and winner == "B"), "8" * (bonus and winner == "P"), "n" * natural, "p" * pairs[0], "b" * pairs[1]]
    return hand_of(winner, "".join(flags))


@st.composite
def streaky_shoes(draw):
    """Runs of up to 15, so that tails, and tails upon tails, are frequent; ties anywhere."""
    shoe = []
    for turn, length in enumerate(draw(st.lists(st.integers(1, 15), max_size=14))):
        shoe += [hand_of("BP"[turn % 2])] * length
    for where in draw(st.lists(st.integers(0, 100), max_size=8)):
        shoe.insert(where, hand_of("T"))
    return shoe


shoes = st.lists(any_hand(), max_size=90) | streaky_shoes()
cycles = st.sampled_from(CYCLES)
row_counts = st.sampled_from([6, 6, 3, 2, 1])


# Golden vectors


@pytest.mark.parametrize(
    ("text", "big_eye", "small", "cockroach"),
    [
        ("BPPPB", "BRB", "", ""),
        ("BBPPB", "RR", "", ""),
        ("TTBTPPTB", "BB", "", ""),
        ("BBBBBBBBPPPPPPB", "RRRRRB", "", ""),
        (P8_B8_P8, "R" * 15, "R" * 7, ""),
        ("BPBPBPPBBPPBBB", "RRRRBBRRRRRB", "RRRBBBBRRRB", "RRBBBBBBRB"),
    ],
)
def test_derived_roads_of_the_golden_vectors(text, big_eye, small, cockroach):
    assert [colours(text, cycle) for cycle in CYCLES] == [big_eye, small, cockroach]
    assert [reference_derived(text, cycle) for cycle in CYCLES] == [[*big_eye], [*small], [*cockroach]]


def test_big_road_of_eight_eight_and_eight():
    road = big_road(parse_hands(P8_B8_P8))
    assert places(road[:8]) == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]
    assert places(road[8:16]) == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4), (4, 4)]
    assert places(road[16:]) == [(2, 0), (2, 1), (2, 2), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3)]
    assert "".join(cell.hand.winner for cell in road) == P8_B8_P8


def test_leading_ties_are_held_in_the_first_cell_and_the_first_winner_comes_into_it():
    assert big_road(parse_hands("TT")) == [Cell(0, 0, None, 2)]
    first, *rest = big_road(parse_hands("TTBTPPTB"))
    assert first == Cell(0, 0, hand_of("B"), 3)
    assert [(*place, cell.ties) for place, cell in zip(places(rest), rest, strict=True)] == [(1, 0, 0), (1, 1, 1), (2, 0, 0)]


@pytest.mark.parametrize(
    ("cycle", "second_in_column", "else_first_of_next"),
    [(BIG_EYE, "BPP", "BPB"), (SMALL, "BPBB", "BPBP"), (COCKROACH, "BPBPP", "BPBPB")],
)
def test_derived_roads_begin_at_b2_c2_d2_or_else_at_the_head_of_the_next_column(cycle, second_in_column, else_first_of_next):
    for text in (second_in_column, else_first_of_next):
        assert colours(text[:-1], cycle) == ""
        assert len(colours(text, cycle)) == 1


def test_a_derived_road_is_drawn_like_the_big_road():
    strokes = derived_road(parse_hands("BPBPBPPBBPPBBB"), BIG_EYE)
    assert "".join(stroke.colour for stroke in strokes) == "RRRRBBRRRRRB"
    assert places(strokes) == [*((0, r) for r in range(4)), (1, 0), (1, 1), *((2, r) for r in range(5)), (3, 0)]
    tail = derived_road(parse_hands(P8_B8_P8), BIG_EYE)
    assert places(tail) == [*((0, r) for r in range(6)), *((c, 5) for c in range(1, 10))]


def test_next_hand_before_the_roads_have_begun_and_after():
    assert next_hand((), "BP") == {"B": (None, None, None), "P": (None, None, None)}
    assert next_hand(parse_hands("BP"), "BP") == {"B": ("R", None, None), "P": ("B", None, None)}
    assert next_hand(parse_hands("BPBPBPPBBPPBB"), "BP") == {"B": ("B", "B", "B"), "P": ("R", "R", "R")}


# Pitfalls seen in public code


def test_pitfall_1_entries_compared_with_the_first_column_are_not_lost():
    assert colours("BPPPB", BIG_EYE) == "BRB"


def test_pitfall_2_colours_do_not_come_from_a_scrolled_road():
    early = "BBPBBBP"
    shoe = parse_hands(early + "BP" * 20)
    shown = [cell for cell in big_road(shoe) if cell.column > 20]
    assert 0 < len(shown) < len(big_road(shoe))
    begun = colours(early, BIG_EYE)
    assert begun == "BBRB"
    assert "".join(derived(shoe, BIG_EYE)).startswith(begun)
    assert derived([cell.hand for cell in shown], BIG_EYE) != derived(shoe, BIG_EYE)


def test_pitfall_3_a_run_does_not_slide_into_an_older_tail_of_its_own_colour():
    road = big_road(parse_hands("P" * 8 + "B" + "P" * 6))
    assert places(road)[-2:] == [(2, 4), (3, 4)]


def test_pitfall_5_a_run_that_turned_counts_in_full():
    assert colours("B" * 8 + "P" * 6 + "B", BIG_EYE)[-1] == "B", "six deep and eight long are not equal"
    assert colours("B" * 8 + "P" * 9, BIG_EYE) == "RRRRRRRB", "the ninth, not the seventh, is one beyond the run to the left"


def test_pitfall_6_once_turned_a_run_stays_on_its_row():
    road = big_road(parse_hands("P" * 7 + "B" * 9))
    assert (2, 5) not in places(road), "free below (2,4), yet the tail goes on to the right"
    assert places(road)[-4:] == [(2, 4), (3, 4), (4, 4), (5, 4)]


def test_pitfall_7_ties_start_no_column_and_are_one_counter_that_undo_takes_back_by_one():
    before = parse_hands("BBP")
    card = Scorecard(before).add(hand_of("T")).add(hand_of("T"))
    road = big_road(card.hands)
    assert places(road) == places(big_road(before))
    assert [cell.ties for cell in road] == [0, 0, 2]
    assert [cell.ties for cell in big_road(card.undo().hands)] == [0, 0, 1]
    assert all(derived(card.hands, cycle) == derived(before, cycle) for cycle in CYCLES)


def test_pitfall_8_undo_stops_at_the_shoe_and_a_new_shoe_keeps_the_archive():
    played = parse_hands("BPPPB")
    card = Scorecard(played).new_shoe()
    assert card == Scorecard((), (played,))
    assert (bead_plate(card.hands), big_road(card.hands), derived_road(card.hands, BIG_EYE)) == ([], [], [])
    with pytest.raises(Refused, match="no hand to take back"):
        card.undo()
    assert card.new_shoe() == card, "a shoe without hands leaves nothing to keep"
    assert card.add(hand_of("P")).new_shoe().archive == (played, (hand_of("P"),))


# Placement by hand, where two tails meet


def test_the_next_run_starts_in_the_next_free_column_where_a_tail_lies_along_the_top():
    text = "B" * 3 + "P" * 3 + "B" * 2
    assert places(big_road(parse_hands(text), rows=2)) == [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1)]


# Hands, and what they add up to


@pytest.mark.parametrize("text", ["B", "P", "T", "B7", "P8", "Bn", "Pn", "Tn", "Tpb", "B7p", "P8b", "Pnpb"])
def test_a_hand_is_printed_as_it_was_read(text):
    assert str(RESULTS.parse(text)) == text


@pytest.mark.parametrize("text", ["", "b", "X", "7", "Bx", "B77", "nB", "B 7", "Bbp", "BP"])
def test_what_is_not_a_hand_is_refused(text):
    with pytest.raises(Refused) as refused:
        RESULTS.parse(text)
    assert refused.value.code == "bad-hand"


@pytest.mark.parametrize("text", ["P7", "T7", "B8", "T8", "B78", "P78", "B7n", "P8n"])
def test_ezb_4_impossible_flags_are_refused(text):
    with pytest.raises(Refused) as refused:
        RESULTS.parse(text)
    assert refused.value.code == "impossible-hand"
    assert f'"{text}"' in refused.value.message


def test_an_unknown_winner_is_refused_without_text_too():
    with pytest.raises(Refused, match="wins no hand"):
        hand_of("D")


def test_a_shoe_is_read_with_and_without_spaces():
    assert (
        parse_hands("B P8, T  Bn")
        == parse_hands("BP8TBn")
        == (hand_of("B"), hand_of("P", "8"), hand_of("T"), RESULTS.parse("Bn"))
    )
    assert parse_hands(" ") == ()
    with pytest.raises(Refused, match='"BXP"'):
        parse_hands("B BXP")


def test_ezb_5b_a_dragon_7_is_a_banker_hand_in_every_road():
    with_bonus, plain = parse_hands("B7 B P8 P B7"), parse_hands("BBPPB")
    assert places(big_road(with_bonus)) == places(big_road(plain))
    assert [cell.hand for cell in big_road(with_bonus)] == list(with_bonus), "the marks stay on the cells"
    assert all(derived(with_bonus, cycle) == derived(plain, cycle) for cycle in CYCLES)


def test_counts_of_a_shoe():
    assert RESULTS.counts(parse_hands("B7 P8 Bn Tnpb P B Tp")) == {
        "hands": 7,
        **{"player": 2, "banker": 3, "tie": 2},
        **{"dragon_7": 1, "panda_8": 1, "natural": 2, "player_pair": 2, "banker_pair": 1},
    }
    assert set(RESULTS.counts(()).values()) == {0} and len(RESULTS.counts(())) == 9


# Properties


@given(shoes, cycles)
def test_run_lengths_and_looking_left_agree(shoe, cycle):
    assert derived(shoe, cycle) == reference_derived([hand.winner for hand in shoe], cycle)


@given(shoes, row_counts)
def test_the_big_road_is_drawn_down_then_right_from_the_leftmost_free_column(shoe, rows):
    winners = [hand.winner for hand in shoe if hand.winner != "T"]
    if winners:
        check_drawing(winners, places(big_road(shoe, rows)), rows)


@given(shoes, cycles, row_counts)
def test_derived_roads_are_drawn_down_then_right_from_the_leftmost_free_column(shoe, cycle, rows):
    strokes = derived_road(shoe, cycle, rows)
    assert [stroke.colour for stroke in strokes] == derived(shoe, cycle)
    check_drawing(derived(shoe, cycle), places(strokes), rows)


@given(shoes, row_counts)
def test_no_two_cells_share_a_place(shoe, rows):
    for road in (bead_plate(shoe, rows), big_road(shoe, rows), *(derived_road(shoe, cycle, rows) for cycle in CYCLES)):
        assert len(set(places(road))) == len(road)
        assert all(0 <= cell.row < rows and cell.column >= 0 for cell in road)


@given(shoes)
def test_every_hand_is_on_the_bead_plate_and_every_tie_counted_on_the_big_road(shoe):
    assert [cell.hand for cell in bead_plate(shoe)] == shoe
    road = big_road(shoe)
    assert [cell.hand for cell in road if cell.hand] == [hand for hand in shoe if hand.winner != "T"]
    assert sum(cell.ties for cell in road) == sum(hand.winner == "T" for hand in shoe)


@given(shoes)
def test_ties_change_no_derived_road_and_no_prediction(shoe):
    without = [hand for hand in shoe if hand.winner != "T"]
    assert next_hand(shoe, "BP") == next_hand(without, "BP")
    assert all(derived_road(shoe, cycle) == derived_road(without, cycle) for cycle in CYCLES)


@given(shoes)
def test_predictions_exist_for_both_or_neither_and_are_opposite(shoe):
    asked = next_hand(shoe, "BP")
    for banker, player in zip(asked["B"], asked["P"], strict=True):
        assert {banker, player} in ({None}, {"R", "B"})


@given(shoes, st.sampled_from("BP"))
def test_a_prediction_is_what_the_road_then_adds(shoe, winner):
    for cycle, colour in zip(CYCLES, next_hand(shoe, "BP")[winner], strict=True):
        assert derived([*shoe, hand_of(winner)], cycle) == derived(shoe, cycle) + ([colour] if colour else [])


@given(shoes, any_hand(), row_counts)
def test_another_hand_moves_no_cell(shoe, hand, rows):
    after = [*shoe, hand]
    assert bead_plate(after, rows)[: len(shoe)] == bead_plate(shoe, rows)
    road = big_road(shoe, rows)
    assert places(big_road(after, rows))[: len(road)] == places(road)
    for cycle in CYCLES:
        strokes = derived_road(shoe, cycle, rows)
        assert derived_road(after, cycle, rows)[: len(strokes)] == strokes


@given(shoes, any_hand())
def test_undo_rebuilds_the_board_from_the_list(shoe, hand):
    def board(hands):
        return (
            bead_plate(hands),
            big_road(hands),
            [derived_road(hands, cycle) for cycle in CYCLES],
            next_hand(hands, "BP"),
            RESULTS.counts(hands),
        )

    keyed = Scorecard()
    for each in shoe:
        keyed = keyed.add(each)
    assert board(keyed.add(hand).undo().hands) == board(keyed.hands) == board(shoe)


@given(any_hand())
def test_any_hand_survives_its_text(hand):
    assert RESULTS.parse(str(hand)) == hand
