#!/usr/bin/env python3
"""Prints the faults that are held out: a third, drawn by a seed from the sorted list of those that were not run before (seen.txt).
The first split (seed 12, nothing seen) was made before any rule; this is the second (seed 13)."""
import pathlib
import random
import sys

if sys.argv[1:]:
    print(__doc__)
    sys.exit(0 if sys.argv[1] in ("-h", "--help") else 2)
HERE = pathlib.Path(__file__)
seen = set(HERE.with_name("seen.txt").read_text().split())
names = sorted(
    line.split()[0]
    for line in HERE.with_name("faults.txt").read_text().split("# Faults of rules that came later")[0].splitlines()
    if line.strip() and not line.startswith("#") and line.split()[0] not in seen
)
for name in sorted(random.Random(13).sample(names, len(names) // 3)):
    print(name)
