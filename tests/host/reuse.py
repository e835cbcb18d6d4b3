# SPDX-License-Identifier: BSD-2-Clause
"""Sends packets that are split or cloned, or read in unusual ways, and notes the earliest and latest times of each wait.

    reuse.py FROM TO CASE PACKETS STAMPS

FROM, TO: names of network namespaces, TO's interface eth0 has 10.77.0.2. CASE:
    segments    UDP_SEGMENT: each packet is split at its socket; other packets have used the memory before, on FROM's loopback
    multicast   three sockets get each packet
    peek        TCP: the reader peeks at each packet (MSG_PEEK), and then reads it
    trunc       TCP: each packet is read with MSG_TRUNC
    bytes       TCP: each packet is read byte by byte
STAMPS: a file as exchange.py writes it, with an element for each packet that a socket got."""
import ctypes
import json
import os
import socket
import sys
import time

SIZE, SEGMENTS, GROUP, ADDRESS, PORT = 100, 8, "239.9.9.9", "10.77.0.2", 7300
UDP_SEGMENT, CLONE_NEWNET = 103, 0x40000000
now = time.monotonic_ns
stamps = {"sent": [], "left": [], "seen": [], "asked": [], "read": []}


def enter(namespace):
    fd = os.open("/run/netns/" + namespace, os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(fd)


def udp(address=None, group=None):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if address is not None:
        s.bind((address, PORT))
    if group:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(ADDRESS))
    return s


def send(s, data, to=None):
    sent = now()
    s.sendto(data, to) if to else s.send(data)
    return sent, now()


def read(s, sent, size=SIZE, flags=0):
    asked = now()
    s.recv(size, flags)
    for name, at in zip(("sent", "left", "asked", "read"), (*sent, asked, now())):
        stamps[name].append(at)


def reuse_memory(n):
    """Sends packets in another namespace: some are freed with an event, others without one."""
    s = udp("127.0.0.1")
    for _ in range(n):
        s.sendto(bytes(SIZE), ("127.0.0.1", PORT))
        s.recv(SIZE)
        socket.create_connection(listening.getsockname()).close()
        listening.accept()[0].close()
    s.close()


def segments(sender, readers, n):
    sender.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, SIZE)
    for _ in range(n):
        reuse_memory(2)
        sent = send(sender, bytes(SIZE * SEGMENTS), (ADDRESS, PORT))
        for _ in range(SEGMENTS):
            read(readers[0], sent)


def multicast(sender, readers, n):
    for _ in range(n):
        reuse_memory(2)
        sent = send(sender, bytes(SIZE), (GROUP, PORT))
        for s in readers:
            read(s, sent)


def tcp_pair(to, source):
    enter(to)
    accepting = socket.create_server((ADDRESS, PORT))
    enter(source)
    s = socket.create_connection((ADDRESS, PORT))
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s, accepting.accept()[0]


def pieces(sender, reader, n, how):
    """For TCP: of a packet that is read in several calls the first one counts."""
    for _ in range(n):
        sent = send(sender, bytes(SIZE))
        if how == "peek":
            reader.recv(SIZE, socket.MSG_PEEK)
        if how == "bytes":
            read(reader, sent, 1)
            for _ in range(SIZE - 1):
                reader.recv(1)
        else:
            read(reader, sent, SIZE, socket.MSG_TRUNC if how == "trunc" else 0)


def main(source, to, case, packets, path):
    global listening
    n = int(packets)
    enter(source)
    sender = udp()
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.77.0.1"))
    listening = socket.create_server(("127.0.0.1", 0))
    if case in ("segments", "multicast"):
        enter(to)
        readers = [udp("" if case == "multicast" else ADDRESS, GROUP if case == "multicast" else None)
                   for _ in range(3 if case == "multicast" else 1)]
        enter(source)
        {"segments": segments, "multicast": multicast}[case](sender, readers, n)
    else:
        pieces(*tcp_pair(to, source), n, case)
    with open(path, "w") as f:
        json.dump({**stamps, "packets": n, "coalesced": 0, "rcvbuf_errors": 0}, f)


main(*sys.argv[1:])
