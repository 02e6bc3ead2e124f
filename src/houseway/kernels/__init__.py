"""Rules as compiled Python: the only package that imports numba."""

from houseway.kernels.compiled import RULE, Rule, helper, rule
from houseway.kernels.count import count, count_by_suits
from houseway.kernels.deal import Deal
from houseway.kernels.sample import sample

__all__ = ["RULE", "Deal", "Rule", "count", "count_by_suits", "helper", "rule", "sample"]
