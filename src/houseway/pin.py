"""Pin every edition's rules and data as they are now (`make pin`): for a deliberate change, with a reason."""

from houseway.games import edition_files, open_edition
from houseway.rulebook.digest import pin


def main() -> None:
    """Write the pinned fingerprints."""
    for name in edition_files():
        edition = open_edition(name)
        changed = edition.differences()
        pin(edition.fingerprint, edition.game.folder / "approved" / f"{edition.id}.json")
        print(f"{name}: {'; '.join(changed) if changed else 'unchanged'}")


if __name__ == "__main__":
    main()
