"""Scripts and style sheets know no game: they draw what the view's face says."""

import pytest
from test_shared_code import PACKAGE, named, shared

TO_DO = {
    "board-baccarat.js",
    "board-history.js",
    "board-roads.js",
    "board.js",
    "cards.js",
    "dealer-cards.js",
    "dealer-floor.js",
    "dealer-keyed.js",
    "dealer-results.js",
    "dealer-round.js",
    "dealer-table.js",
    "felt.css",
    "felt.js",
    "floor-open.js",
    "lab.js",
    "round-steps.js",
    "table-decide.js",
    "table-keys.js",
    "table-result.js",
    "table-strip.js",
    "table-view.js",
    "table.js",
}
"""Files that are not drawn from the face yet: the list only ever gets shorter."""
PAGES = [path for path in shared(".js", ".css") if path.name not in TO_DO]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_game_is_named_in_a_script_or_a_style_sheet(path):
    assert named(path) == []


def test_what_is_left_to_do_is_still_to_do():
    done = [path.name for path in shared(".js", ".css") if path.name in TO_DO and not named(path)]
    assert done == [], "take them off the list"
