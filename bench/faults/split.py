#!/usr/bin/env python3
"""Prints the faults that are held out: a third, drawn by a seed from the sorted list, before any threshold was set."""
import pathlib
import random

names = sorted(
    line.split()[0]
    for line in pathlib.Path(__file__).with_name("faults.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
)
for name in sorted(random.Random(12).sample(names, len(names) // 3)):
    print(name)
