"""Two progresses of one person made one, such as a browser's of before he had an account, and the house's."""

from dataclasses import replace

from houseway.train.learning import LearnedProgress, Skill


def merged(one: LearnedProgress, other: LearnedProgress) -> LearnedProgress:
    """Of each skill the one that was answered last; joined with itself, or again, a progress stays as it is."""
    skills = dict(one.skills)
    for name, skill in other.skills.items():
        skills[name] = max(skills.get(name, Skill()), skill, key=_newness)
    newer = max(one, other, key=_last)
    answers = max(one.answers, other.answers, sum(skill.asked for skill in skills.values()))
    return LearnedProgress(dict(sorted(skills.items())), answers, newer.streak, one.brought | other.brought)


def brought(kept: LearnedProgress, from_browser: LearnedProgress) -> LearnedProgress:
    """What a house keeps, with what a browser has sent, which anybody could have written: what it changed is marked."""
    both = merged(kept, replace(from_browser, brought=frozenset()))
    changed = {name for name, skill in both.skills.items() if skill != kept.skills.get(name)}
    return replace(both, brought=both.brought | changed)


def _reviewed(skill: Skill) -> str:
    return str(skill.card.get("last_review") or "")


def _newness(skill: Skill) -> tuple[str, int, int, int, float]:
    """By when it was last answered; all else only decides between two of the same moment, so that the order does not matter."""
    return _reviewed(skill), skill.asked, skill.right, skill.streak, skill.seconds


def _last(progress: LearnedProgress) -> tuple[str, int, int]:
    return max(map(_reviewed, progress.skills.values()), default=""), progress.answers, progress.streak
