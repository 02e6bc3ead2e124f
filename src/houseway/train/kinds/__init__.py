"""The kinds of exercise, each in a module of its own and declared once, here."""

from houseway.train.kind import ExerciseKind
from houseway.train.kinds import decide, draw, order, pay, read, results, set_hand, wrong

KINDS: dict[str, ExerciseKind] = {
    kind.name: kind
    for kind in (
        draw.KIND,
        read.KIND,
        set_hand.KIND,
        results.KIND,
        pay.KIND,
        pay.CHIPS_KIND,
        order.KIND,
        wrong.KIND,
        decide.KIND,
    )
}
