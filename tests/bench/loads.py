# SPDX-License-Identifier: BSD-2-Clause
"""The loads whose throughput is measured with and without recorders: one row of LOADS each.
Every process of a load is on one CPU and uses all of it, so the load loses the CPU time that
a recorder takes. There are two exceptions. The figure of the part "latency" is its p99.
iperf3 over UDP sends at a fixed rate, as in figure 4 of Netto's paper, and its figure is the
data received per second in which the CPU was not idle."""
import json
import os
import re
import shutil
import socket
import subprocess
import time

CPU, OTHER_CPU = "0", "1"
PORT = "17771"
ADDRESS = "127.0.0.1"

NGINX = """user root; worker_processes 1; daemon off; pid {tmp}/nginx.pid; error_log /dev/null;
events {{ worker_connections 64; }}
http {{ access_log off; keepalive_requests 1000000000; server {{ listen {address}:{port}; root {tmp}; }} }}
"""


def pinned(argv):
    return ["taskset", "-c", CPU, *argv]


def within(netns):
    return ["ip", "netns", "exec", netns]


class Load:
    """needs: commands. server, client(seconds): what to run. read(output): amount per second in
    `unit`, and p99 in us or None. paced: the load does not fill the CPU. stream: the server
    listens on TCP. prepare(tmp): runs before the server. part: the part of the bench that has
    the load."""

    def __init__(self, name, unit, needs, server, client, read, paced=False, stream=True, prepare=None, part="overhead"):
        self.name, self.unit, self.needs, self.server, self.client = name, unit, needs, server, client
        self.read, self.paced, self.stream, self.prepare, self.part = read, paced, stream, prepare, part

    def missing(self):
        return [c for c in self.needs if not shutil.which(c)]


def read_load(out):
    told = json.loads(out)
    return told["per_s"], told["p99_us"]


def read_iperf3(out):
    end = json.loads(out)["end"]
    return end["sum_received"]["bits_per_second"] / 1e9, None


def read_wrk(out):
    n, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\n", out).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1]), float(n) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def prepare_nginx(tmp):
    os.chmod(tmp, 0o755)
    with open(tmp + "/nginx.conf", "w") as f:
        f.write(NGINX.format(tmp=tmp, address=ADDRESS, port=PORT))
    with open(tmp + "/page", "w") as f:
        f.write("x" * 1024)


def table(build, tmp):
    load = build + "/tests/load"
    iperf3 = ["iperf3", "-c", ADDRESS, "-p", PORT, "-J", "-t"]
    client, server, address = os.environ.get("BENCH_NETNS", "  ").split(" ")  # as run.sh made them
    wrk = ["wrk", "-t", "1", "-c", "16", "--latency", "http://%s:%s/page" % (ADDRESS, PORT), "-d"]
    return [
        Load("ping-pong", "round trips/s", [load], [load, "echo", PORT],
             lambda s: [load, "ping-pong", ADDRESS, PORT, s], read_load, stream=False),
        Load("nginx under wrk", "requests/s", ["nginx", "wrk"], ["nginx", "-p", tmp, "-c", tmp + "/nginx.conf"],
             lambda s: [*wrk, s], read_wrk, prepare=prepare_nginx),
        Load("memcached", "gets/s", [load, "memcached"], ["memcached", "-u", "root", "-t", "1", "-l", ADDRESS, "-p", PORT],
             lambda s: [load, "memcached", ADDRESS, PORT, s], read_load),
        Load("iperf3 TCP", "Gbit/s", ["iperf3"], ["iperf3", "-s", "-p", PORT], lambda s: [*iperf3, s], read_iperf3),
        Load("iperf3 UDP", "Gbit a CPU second", ["iperf3"], ["iperf3", "-s", "-p", PORT],
             lambda s: [*iperf3, s, "-u", "-b", "1500M", "-l", "1400", "--pacing-timer", "200"], read_iperf3, paced=True),
        # Both processes have their own CPU, so that each sleeps while the other works, as on a
        # network.
        Load("request and response over veth", "round trips/s", [load],
             [*within(server), "taskset", "-c", OTHER_CPU, load, "echo", PORT],
             lambda s: [*within(client), load, "ping-pong", address, PORT, s], read_load, stream=False, part="latency"),
    ]


# ---- a load that runs ----------------------------------------------------------------------------

def not_ours_s():
    """Returns the idle time of the CPU so far, and the time that the hypervisor gave to other
    machines."""
    for line in open("/proc/stat"):
        if line.startswith("cpu%s " % CPU):
            ticks = [int(n) / os.sysconf("SC_CLK_TCK") for n in line.split()[1:9]]
            return ticks[3] + ticks[4], ticks[7]
    raise SystemExit("bench: no CPU " + CPU)


class Busy:
    """Returns the share of the time since the object was made in which the CPU worked, and the
    share in which the CPU was available."""

    def __init__(self):
        self.begin, (self.idle, self.stolen) = time.monotonic(), not_ours_s()

    def shares(self):
        idle, stolen = not_ours_s()
        passed = max(time.monotonic() - self.begin, 1e-3)
        there = max(1 - (stolen - self.stolen) / passed, 1e-3)
        return max(there - (idle - self.idle) / passed, 1e-3), there


def listens():
    try:
        socket.create_connection((ADDRESS, int(PORT)), 1).close()
        return True
    except OSError:
        return False


class Running:
    """Runs the load's server while this object exists."""

    def __init__(self, load, tmp):
        self.load = load
        if load.prepare:
            load.prepare(tmp)
        self.server = subprocess.Popen(pinned(load.server), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            time.sleep(0.05)
            if not load.stream or listens():
                return
        raise SystemExit("bench: %s does not begin to listen" % load.name)

    def spawn(self, seconds):
        return subprocess.Popen(pinned(self.load.client(str(seconds))), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def measure(self, seconds):
        """Returns the amount per second in which the CPU was available, and p99 in us or None."""
        busy, client = Busy(), self.spawn(seconds)
        out, err = client.communicate()
        if client.returncode:
            raise SystemExit("bench: %s failed: %s" % (self.load.name, err or out))
        try:
            rate, p99 = self.load.read(out)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise SystemExit("bench: %s printed something else than its figures: %s" % (self.load.name, out or err))
        worked, there = busy.shares()
        return rate / (worked if self.load.paced else there), p99

    def end(self):
        self.server.terminate()
        self.server.wait()
