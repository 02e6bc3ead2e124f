"""Approval: what an edition's badge promises, by three digests. Rules, behaviour, and the whole program as released."""

from houseway.approval.badge import Badge, badge, check_again, looks, system
from houseway.approval.manifest import SystemCheck

__all__ = ["Badge", "SystemCheck", "badge", "check_again", "looks", "system"]
