# SPDX-License-Identifier: BSD-2-Clause
"""Sends packets from one network namespace to another, and notes the earliest and latest times of each wait.

    exchange.py FROM TO PROTOCOL ADDRESS PORT PACKETS READER STAMPS [DEVICE]

FROM, TO: names of network namespaces. PROTOCOL: udp, udp6, tcp or tcp6. READER, in TO:
    blocked     is inside recv() when a packet comes
    late=MS     sees with poll() that a packet has come, sleeps, and then reads it
    busy        never sleeps: calls recv() again and again
    burst       reads when all packets are in the socket
    full        like burst, but the socket only has room for a few packets
Except with the last two readers, the next packet is sent when the previous packet has been read. STAMPS: a JSON file, with times in ns of
CLOCK_MONOTONIC: sent and left (before and after the send call), seen (the packet is known to be in the socket), asked (before the recv() that
gets it), read (after that); packets (UDP: sent; TCP: segments with data, without those sent again), got (packets or bytes that
were read), pid, comm and netns (inode) of the reader; by TO's own counters rcvbuf_errors, coalesced (by TCP), and rx (packets
that DEVICE, or eth0, received)."""
import ctypes
import fcntl
import json
import os
import pathlib
import select
import socket
import struct
import sys
import time

SIZE, SMALL_ROOM, ROOM = 100, 20000, 1 << 25
SO_RCVBUFFORCE, CLONE_NEWNET, SIOCOUTQ = 33, 0x40000000, 0x5411
now = time.monotonic_ns


def enter(namespace):
    fd = os.open("/run/netns/" + namespace, os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(fd)


def counter(path, protocol, name):
    """Returns the counters of /proc/self/net/snmp or netstat of the current namespace."""
    rows = [line.split() for line in pathlib.Path("/proc/self/net/" + path).read_text().splitlines() if line.startswith(protocol + ":")]
    return int(dict(zip(*rows[:2])).get(name, 0))


def counters(device):
    received = next(line.split(":")[1].split()[1] for line in pathlib.Path("/proc/self/net/dev").read_text().splitlines()
                    if line.split(":")[0].strip() == device)
    return {"rcvbuf_errors": counter("snmp", "Udp", "RcvbufErrors"), "coalesced": counter("netstat", "TcpExt", "TCPBacklogCoalesce"),
            "rx": int(received)}


def opened(protocol):
    return socket.socket(socket.AF_INET6 if protocol.endswith("6") else socket.AF_INET,
                         socket.SOCK_DGRAM if protocol.startswith("udp") else socket.SOCK_STREAM)


def wait_until(done):
    deadline = time.monotonic() + 60
    while not done():
        if time.monotonic() > deadline:
            sys.exit("exchange.py: the packets did not come")
        time.sleep(0.002)


class Reader:
    def __init__(self, protocol, port, packets, how, ready, turns):
        self.packets, self.how, self.turns = packets, how, turns
        self.out = {"seen": [], "asked": [], "read": [], "got": 0}
        listening = opened(protocol)
        listening.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, SMALL_ROOM if how == "full" else ROOM)
        listening.bind(("", port))
        self.tcp = listening.type == socket.SOCK_STREAM
        if self.tcp:
            listening.listen()
        self.delivered = self.delivered_now()
        os.write(ready, b"r")
        self.socket = listening.accept()[0] if self.tcp else listening

    @staticmethod
    def delivered_now():
        return counter("snmp", "Ip", "InDelivers")

    def read(self):
        if self.how.startswith("late="):
            select.select([self.socket], [], [])
            self.out["seen"].append(now())
            time.sleep(float(self.how[5:]) / 1000)
        asked = now()
        while True:
            try:
                data = self.socket.recv(SIZE if self.tcp else 65536, socket.MSG_DONTWAIT if self.how == "busy" else 0)
                break
            except BlockingIOError:
                asked = now()
        self.out["read"].append(now())
        self.out["asked"].append(asked)
        return len(data)

    def lockstep(self):
        for _ in range(self.packets):
            got = self.read()
            while self.tcp and got < SIZE:
                got += self.read()
            self.out["got"] += 1
            os.write(self.turns, b"t")

    def burst(self, all_sent):
        os.read(all_sent, 1)
        if self.tcp:
            while self.out["got"] < self.packets * SIZE:
                self.out["got"] += self.read()
            return
        wait_until(lambda: self.delivered_now() - self.delivered >= self.packets)
        self.socket.settimeout(0.5)
        while self.out["got"] < self.packets:
            try:
                self.read()
            except TimeoutError:  # the remaining packets were dropped
                break
            self.out["got"] += 1

    def end(self):
        if self.tcp and self.socket.recv(SIZE):
            sys.exit("exchange.py: more than was sent")


def reader(to, device, all_sent, *args):
    enter(to)
    comm = "xchg-%d" % os.getpid()
    pathlib.Path("/proc/self/comm").write_text(comm)
    before = counters(device)
    r = Reader(*args)
    if r.how in ("burst", "full"):
        r.burst(all_sent)
    else:
        r.lockstep()
    r.end()
    moved = {name: n - before[name] for name, n in counters(device).items()}
    return {**r.out, **moved, "pid": os.getpid(), "comm": comm, "netns": os.stat("/proc/self/ns/net").st_ino}


def segments(s):
    """Returns tcpi_data_segs_out minus tcpi_total_retrans once everything is acknowledged."""
    wait_until(lambda: not struct.unpack("i", fcntl.ioctl(s, SIOCOUTQ, bytes(4)))[0])
    info = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return struct.unpack_from("I", info, 156)[0] - struct.unpack_from("I", info, 100)[0]


def send(source, protocol, address, port, packets, in_turn, turns, all_sent):
    enter(source)
    s, sent, left = opened(protocol), [], []
    s.connect((address, port))
    if s.type == socket.SOCK_STREAM:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for _ in range(packets):
        sent.append(now())
        s.send(bytes(SIZE))
        left.append(now())
        if in_turn and not os.read(turns, 1):
            sys.exit("exchange.py: the reader has ended")
    count = segments(s) if s.type == socket.SOCK_STREAM else packets
    s.close()
    if not in_turn:
        os.write(all_sent, b"a")
    return {"sent": sent, "left": left, "packets": count}


def sender(source, protocol, address, port, packets, in_turn, turns, all_sent, result):
    with os.fdopen(result, "w") as f:
        json.dump(send(source, protocol, address, port, packets, in_turn, turns, all_sent), f)


def main(source, to, protocol, address, port, packets, how, stamps, device="eth0"):
    """Runs the reader in this process, so that its id is known in advance."""
    (ready, tell_ready), (turns, tell_turn), (all_sent, tell_all), (result, tell_result) = (os.pipe() for _ in range(4))
    port, packets = int(port), int(packets)
    child = os.fork()
    if not child:
        for fd in (tell_ready, tell_turn, all_sent, result):
            os.close(fd)
        if not os.read(ready, 1):
            os._exit(1)
        sender(source, protocol, address, port, packets, how not in ("burst", "full"), turns, tell_all, tell_result)
        os._exit(0)
    for fd in (ready, turns, tell_all, tell_result):
        os.close(fd)
    out = reader(to, device, all_sent, protocol, port, packets, how, tell_ready, tell_turn)
    with os.fdopen(result) as f:
        out.update(json.load(f))
    os.waitpid(child, 0)
    with open(stamps + ".part", "w") as f:
        json.dump(out, f)
    os.rename(stamps + ".part", stamps)


main(*sys.argv[1:])
