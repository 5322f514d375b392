#!/usr/bin/env python3
"""Writes what README.md shows: it runs the commands, shortens what they print, and takes the picture of the page.

    bench/readme.py                 tune and diagnose, about seven minutes; needs chromium
    bench/readme.py FILE FILE       shortens what a tune and a diagnosis of examples/login.yaml printed; no picture
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "docs/images/report.png"
TRIAL = re.compile(r" *\d+  (baseline|search|again|race|duel|remove|confirm)\b")
SECTIONS = ("Winner against default", "Why the default was slower", "Tomcat: conf/server.xml")


def sections(text):
    """The parts of a result: each begins at the left margin after an empty line."""
    return re.split(r"\n\n(?=\S)", text.strip())


def tune(text):
    start = text[text.index("Run ") :]
    progress, result = start.split("\n\n", 1)
    lines = progress.splitlines()
    trials = [i for i, line in enumerate(lines) if TRIAL.match(line)]
    if len(trials) > 8:
        lines[trials[5] : trials[-2]] = ["  …"]
    head, *rest = sections(result)
    answer = rest[0]
    kept = [s for s in rest[1:] if s.startswith(SECTIONS)]
    if len(kept) != len(SECTIONS):
        sys.exit("the tune has not shown an improvement: README keeps what it has")
    return "\n\n".join(["\n".join(lines), head, answer, *kept])


def diagnose(text):
    head, answer, found = sections(text[text.index("\n\ndiagnose ") :])[:3]
    lines = found.splitlines()
    to = next(i for i, line in enumerate(lines) if line.startswith(("  •", "  What to do")))
    tested = next((i for i, line in enumerate(lines) if line.startswith("  Tested ")), None)
    if tested is None:
        sys.exit("the diagnosis was not tested: README keeps what it has")
    return "\n\n".join([answer, "\n".join([*lines[:to], "  …", *lines[tested:]])])


def write(command, text):
    readme = README.read_text()
    block = re.compile(rf"(<!-- printed by {re.escape(command)} -->\n```\n).*?(\n```\n<!-- /printed -->)", re.DOTALL)
    if not block.search(readme):
        sys.exit(f"README.md has no place for {command}")
    README.write_text(block.sub(lambda m: m.group(1) + text + m.group(2), readme))


def run(arguments, folder):
    done = subprocess.run([str(ROOT / "fettle"), *arguments, "--dir", folder], capture_output=True, text=True, cwd=ROOT)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        sys.exit(f"fettle {' '.join(arguments)} ended with {done.returncode}")
    return done.stdout


def picture(page):
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1180,1820", f"--screenshot={PICTURE}", page.as_uri()],
        check=True,
        capture_output=True,
        env=os.environ | {"TZ": "UTC"},
    )


def main():
    if len(sys.argv) == 3:
        texts = [pathlib.Path(f).read_text() for f in sys.argv[1:]]
        write("./fettle tune", tune(texts[0]))
        write("./fettle diagnose examples/login.yaml", diagnose(texts[1]))
        return
    if len(sys.argv) > 1:
        print(__doc__)
        return
    with tempfile.TemporaryDirectory() as folder:
        write("./fettle tune", tune(run(["tune"], folder)))
        picture(pathlib.Path(folder) / "runs/login-page-1/report.html")
        write("./fettle diagnose examples/login.yaml", diagnose(run(["diagnose", "examples/login.yaml"], folder)))


if __name__ == "__main__":
    main()
