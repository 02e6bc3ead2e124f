"""A billion rounds of every edition, and every wager that has exact odds: none is further from them than chance explains."""

import json

import pytest

FIXED_SEED = "2026"
BETS = {
    "ez-baccarat-wa": (),
    "ez-baccarat-ca": (),
    "lucky-lucky-wa": ("--shuffler",),  # from a cut shoe blackjack's return is another one: rounds with small cards are longer
    "duki-4-wa": (),
    "ez-pai-gow-wa": (),
}
"""What each is asked besides."""


@pytest.mark.deep
@pytest.mark.parametrize("edition", BETS)
def test_every_wager_lies_within_four_standard_errors_of_its_exact_return(run, edition):
    code, out, err = run("simulate", edition, "--rounds", "1e9", "--seed", FIXED_SEED, *BETS[edition], "--format", "json")
    assert code == 0, err
    data = json.loads(out)
    compared = {wager["wager"]: wager["z"] for wager in data["wagers"] if wager["exact"] is not None}
    assert data["rounds"] >= 10**9 and compared
    assert {name: z for name, z in compared.items() if abs(z) > 4} == {}
