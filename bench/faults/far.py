#!/usr/bin/env python3
"""An echo service at the far end of a long way, for the faults far-peer and lossy-peer: far.py PORT MILLISECONDS LOSS

Makes a network interface (tun) with the addresses 10.9.0.1 and 10.9.0.2. What is sent to 10.9.0.2 comes back to 10.9.0.1 after that time,
or gets lost, and there the service listens. Needs the right to make interfaces; it is gone when this ends. `unshare -n` around the whole suite
keeps it away from the machine's own network.
"""
import fcntl
import heapq
import os
import random
import select
import socket
import struct
import subprocess
import sys
import threading
import time

if len(sys.argv) != 4:
    sys.exit(__doc__)
port, wait, loss = int(sys.argv[1]), float(sys.argv[2]) / 1e3, float(sys.argv[3])
tun = os.open("/dev/net/tun", os.O_RDWR)
name = fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH", b"fettle%d", 0x1001))[:16].strip(b"\0").decode()  # TUNSETIFF: IFF_TUN, IFF_NO_PI
subprocess.run(["ip", "addr", "add", "10.9.0.1/24", "dev", name], check=True)
subprocess.run(["ip", "link", "set", name, "up"], check=True)


def echo(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while data := connection.recv(4096):
        connection.sendall(data)


def serve():
    listening = socket.create_server(("10.9.0.1", port), backlog=512)
    while True:
        threading.Thread(target=echo, args=(listening.accept()[0],), daemon=True).start()


threading.Thread(target=serve, daemon=True).start()
there = random.Random(1)
on_the_way = []
number = 0
while True:
    rest = max(0, on_the_way[0][0] - time.monotonic()) if on_the_way else None
    if select.select([tun], [], [], rest)[0]:
        packet = os.read(tun, 65536)
        if packet[0] >> 4 == 4 and there.random() >= loss:
            # source and destination change places; the checksums stay right
            number += 1
            heapq.heappush(on_the_way, (time.monotonic() + wait / 2, number, packet[:12] + packet[16:20] + packet[12:16] + packet[20:]))
    while on_the_way and on_the_way[0][0] <= time.monotonic():
        os.write(tun, heapq.heappop(on_the_way)[2])
