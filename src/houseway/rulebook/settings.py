"""A table's settings: every switch with a value, and what of it lies outside the approval."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from houseway.rulebook.game import Value


@dataclass(frozen=True)
class Settings(Mapping[str, Value]):
    """The value of every switch. `outside` says, for each value the approval does not allow, what it allows.

    `what_if` asks for the odds of what is not offered or not approved.
    """

    values_by_name: tuple[tuple[str, Value], ...]
    outside: tuple[str, ...] = ()
    what_if: bool = False

    def __getitem__(self, name: str) -> Value:
        for known, value in self.values_by_name:
            if known == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)
