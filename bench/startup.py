"""Starts each command, notes when its first byte comes; see startup.sh. Arguments: runs, tools, the fettle launcher."""
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

runs, tools, fettle = int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3]
listener = socket.create_server(("127.0.0.1", 0))
url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
script = tempfile.NamedTemporaryFile("w", suffix=".js")
script.write(f"import http from 'k6/http'; export default function () {{ http.get('{url}'); }}")
script.flush()
commands = {
    "fettle": [fettle, "bench", url, "-n", "1", "--warm-up", "0s", "--timeout", "2s", "-q"],
    "wrk": ["wrk", "-t1", "-c1", "-d1s", url],
    "oha": ["oha", "--no-tui", "-n", "1", "-c", "1", url],
    "k6": ["k6", "run", "-q", "--no-usage-report", "--vus", "1", "--iterations", "1", script.name],
}


def first_byte(command):
    """Seconds from right before exec to the first byte of the first request."""
    listener.settimeout(30)
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while True:
            peer, _ = listener.accept()
            peer.settimeout(30)
            with peer:
                if peer.recv(1):
                    took = time.monotonic() - start
                    peer.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
                    return took
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        # what it had opened meanwhile
        listener.settimeout(0.02)
        try:
            while True:
                listener.accept()[0].close()
        except TimeoutError:
            pass


tools = [t for t in tools if t == "fettle" or shutil.which(t)]
times = {t: [] for t in tools}
for i in range(runs + 1):
    for tool in random.sample(tools, len(tools)):
        took = first_byte(commands[tool])
        if i:
            times[tool].append(1e3 * took)
print("| tool | median ms | from | to |")
print("|---|--:|--:|--:|")
for tool in tools:
    some = sorted(times[tool])
    print(f"| {tool} | {statistics.median(some):.0f} | {some[0]:.0f} | {some[-1]:.0f} |")
