"""What the staff look at of all that happens: the floor's list, its filter, and an audit's are parts of one."""

OF_MONEY = (
    "surveillance",
    "voided",
    "shoe-lost",
    "card-corrected",
    "card-replaced",
    "cards-swapped",
    "round-rekeyed",
    "decision-undone",
    "bet-changed",
    "round-corrected",
    "settlement-reversed",
    "frozen",
    "resolved",
    "owes",
    "debt-paid",
)
"""Payouts that were verified, voids, corrections, disputes and debts."""
NOTABLE = (*OF_MONEY, "declined", "duties-set", "house-rule-set", "guest-barred", "guest-readmitted", "cash-line")
"""What somebody who audits looks at, as far as everybody may know it: no card of a live round is in it."""
ON_THE_FLOOR = (
    *NOTABLE,
    "acknowledged",
    "requested",
    "confirmed",
    "closer",
    "table-closed",
    "signed-on",
    "signed-off",
    "break-begun",
    "break-ended",
    "supervises",
    "supervises-no-more",
    "fill-wanted",
    "chips-in",
    "chips-out",
    "slip-opened",
    "slip-done",
    "slip-recalled",
    "slip-voided",
    "counts-differ",
    "tray-agreed",
    "pieces-set-right",
    "notice-due",
    "notice-sent",
    "box-pulled",
    "box-counted",
)
"""What the floor's page lists: the same, and what belongs to a day's work."""
