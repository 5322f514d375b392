#!/usr/bin/env python3
"""Writes what README.md and the pages of the commands show as printed: runs the commands, shortens what they print, takes the picture.

    bench/printed.py                      all of it, about eight minutes; needs chromium
    bench/printed.py readme               tune and diagnose of README.md, with the picture: six minutes
    bench/printed.py bench                what docs/commands/bench.md shows: half a minute
    bench/printed.py wiremock             what docs/commands/diagnose.md shows: a minute
    bench/printed.py shorten FILE FILE    shortens what a tune and a diagnosis of examples/login.yaml printed; no picture
"""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs/commands/bench.md", ROOT / "docs/commands/diagnose.md", ROOT / "docs/first-steps.md"]
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
    """Into each place <!-- printed by COMMAND -->; the block there may name its language."""
    block = re.compile(rf"(<!-- printed by {re.escape(command)} -->\n```[a-z]*\n).*?(\n```\n<!-- /printed -->)", re.DOTALL)
    found = False
    for page in PAGES:
        old = page.read_text()
        found = found or bool(block.search(old))
        page.write_text(block.sub(lambda m: m.group(1) + text.strip("\n") + m.group(2), old))
    if not found:
        sys.exit(f"no page has a place for {command}")


def run(arguments, folder=None, with_progress=False):
    """What a command prints: its result, or all of it in order."""
    within = ["--dir", folder] if folder else []
    errors = subprocess.STDOUT if with_progress else subprocess.PIPE
    done = subprocess.run([str(ROOT / "fettle"), *arguments, *within], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT)
    sys.stderr.write(done.stderr or "")
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


@contextlib.contextmanager
def page_at_8080(java):
    """The sample page that takes 5 ms for each request, on port 8080. It ends with its standard input."""
    command = [java, "-cp", f"{ROOT}/servers/build/fettle-servers.jar:{ROOT}/servers/build/lib/*", "dev.fettle.servers.Main"]
    options = ["server=tomcat", "app=work", "app.wait=5ms", "port=8080", "backlog=1000", "stop.on.eof=true"]
    server = subprocess.Popen([*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in server.stdout:
            if line.startswith("FETTLE-READY"):
                break
        else:
            sys.exit("the page did not start: is port 8080 free?")
        yield
    finally:
        server.stdin.close()
        server.wait()


def bench(folder):
    url = "http://127.0.0.1:8080/"
    closed = ["bench", url, "-d", "10s"]
    files = {kind: f"{folder}/bench.{kind}" for kind in ("csv", "hlog", "prom")}
    load = ["bench", url, "-c", "20", "--rate", "3500/s", "-d", "10s"]
    kept = ["--csv", files["csv"], "--hlog", files["hlog"], "--prometheus", files["prom"]]
    with page_at_8080(jdk() + "/bin/java"):
        write("fettle " + " ".join(closed), f"$ fettle {' '.join(closed)}\n" + run(closed, with_progress=True).strip())
        open_load = run([*load, *kept])
    figures = open_load[open_load.index("Offered ") :]
    write("fettle " + " ".join(load), re.split(r"\n\n(?=How latency)", figures)[0])
    write("--csv", "\n".join(pathlib.Path(files["csv"]).read_text().splitlines()[:4]))
    hlog = [line if len(line) < 100 else line[:100] + "…" for line in pathlib.Path(files["hlog"]).read_text().splitlines()]
    write("--hlog", "\n".join(hlog[:8]))
    prometheus = pathlib.Path(files["prom"]).read_text().splitlines()
    names = ("bench_info", "bench_responses_total", "bench_error_share", "bench_unsent_total", "bench_latency_seconds")
    wanted = tuple(prefix + "fettle_" + name for name in names for prefix in ("# HELP ", "# TYPE ", ""))
    buckets = [line for line in prometheus if "_bucket{" in line]
    dropped = set(buckets[2:-1])
    write("--prometheus", "\n".join(line for line in prometheus if line not in dropped and line.startswith(wanted)))


def jdk():
    """That of the launcher."""
    home = subprocess.run(["bash", "-c", f'. "{ROOT}/bench/lib.sh"; jdk'], capture_output=True, text=True, cwd=ROOT / "bench")
    return home.stdout.strip() or sys.exit("no JDK 25: " + home.stderr)


def wiremock(folder):
    printed = run(["diagnose", "examples/wiremock.yaml", "--no-test"], folder)
    # without what was looked at and is in order, which is long, and the notes
    found = sections(printed[printed.index("\ndiagnose ") :])
    to = next(i for i, part in enumerate(found) if part.startswith("Looked at"))
    write("./fettle diagnose examples/wiremock.yaml --no-test", "\n\n".join(found[:to]))


def readme(folder):
    printed = run(["tune"], folder)
    write("./fettle tune", tune(printed))
    write("a trial of ./fettle tune", next(line for line in printed.splitlines() if re.match(r" *\d+  duel 1 .*=.* valid$", line)))
    picture(pathlib.Path(folder) / "runs/login-page-1/report.html")
    write("./fettle diagnose examples/login.yaml", diagnose(run(["diagnose", "examples/login.yaml"], folder)))


def main():
    parts = {"readme": readme, "bench": bench, "wiremock": wiremock}
    asked = sys.argv[1:]
    if len(asked) == 3 and asked[0] == "shorten":
        texts = [pathlib.Path(f).read_text() for f in asked[1:]]
        write("./fettle tune", tune(texts[0]))
        write("./fettle diagnose examples/login.yaml", diagnose(texts[1]))
        return
    if any(name not in parts for name in asked):
        print(__doc__)
        return
    for name in asked or parts:
        with tempfile.TemporaryDirectory() as folder:
            parts[name](folder)


if __name__ == "__main__":
    main()
