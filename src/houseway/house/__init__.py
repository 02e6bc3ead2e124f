"""Everything with a disk or a clock: the floor, its journal, shoes, snapshots, audits, copies, people."""
