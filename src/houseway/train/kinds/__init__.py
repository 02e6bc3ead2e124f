"""The kinds of exercise, each in a module of its own and declared once, here."""

from houseway.train.kind import Kind
from houseway.train.kinds import draw, order, pay, read, results

KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (draw.KIND, read.KIND, results.KIND, pay.KIND, pay.CHIPS_KIND, order.KIND)
}
