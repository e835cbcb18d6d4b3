# SPDX-License-Identifier: BSD-2-Clause
"""interfaces.py REPORT FOLDER: judges on which interfaces packets are counted. A packet of the network card passes a
veth pair and a bridge as well, as on a host with a container."""
import csv
import io
import json
import os
import subprocess
import sys

from make_traces import CLOCK, EXACT, HOST, MS, NETDEV, NETDEV_STATS, OF_EVENT, PROBE, SOFTNET, START, TICK, Trace

REPORT, FOLDER = sys.argv[1:]
NAMES = [("lo", 1, "loopback"), ("eth0", 1, "physical"), ("veth1", 1, "virtual"), ("br0", 1, "virtual"), ("eth0", 2, None)]
RX, TX, SIZE, NS = 3000, 1000, 100, 2000  # a second, bytes, ns of network time of a packet of eth0


def write(name, factors, classes=True):
    """factors: how often each interface counts a packet of the load."""
    t = Trace(k8=[0], **HOST, k13=1000, k14="entry", k15=100, k18=START)
    t.add(CLOCK, {1: START, 2: 1790000000 * 1000 * MS, 3: START, 4: 120})
    for e in range(8):
        t.add(PROBE, {1: OF_EVENT, 2: e, 3: "tracepoint", 4: ["hook"], 6: []})
    for i, (interface, netns, kind) in enumerate(NAMES):
        t.add(NETDEV, {1: i + 1, 2: interface, 3: netns, **({5: kind} if classes and kind else {})})
    t.frame(START, START + 4000 * MS, [])
    for i in range(5):
        busy = i * (RX + TX) * NS
        t.add(TICK, {1: START + 1000 * MS * i, 2: [0], 3: [START + 1000 * MS * i]})
        for e in range(8):
            t.add(EXACT, {1: e, 2: [{0: 1000 * MS * i - busy, 6: busy}.get(e, 0)], 3: [0], 4: [0], 5: [0]})
        t.add(SOFTNET, {1: [i * RX], 2: [0], 3: [0]})
        t.add(NETDEV_STATS, {1: [1, 2, 3, 4, 5], **{key: [int(i * n * f) for f in factors] for key, n in
                                                   ((2, RX), (3, RX * SIZE), (6, TX), (7, TX * SIZE))}})
    t.end(0, 0, 0, 0)
    t.write(os.path.join(FOLDER, name))


def run(*args):
    return subprocess.run([REPORT, *args], cwd=FOLDER, stdout=subprocess.PIPE, check=True).stdout.decode()


def judge(name, basis, times, text):
    """times: how often the basis counts a packet."""
    s = json.loads(run("summary", "--format=json", name))
    cost = s["unit_costs"]["network_ns_per_interface_packet"]
    assert s["interface_basis"] == basis and abs(cost * times / NS - 1) < 1e-3, (name, s["interface_basis"], cost)
    assert text in run("summary", "--full", name) and text in run("timeline", name)
    rows = list(csv.DictReader(io.StringIO(run("timeline", "--format=csv", name))))
    assert len(rows) == 4
    for r in rows:
        assert r["interface_basis"] == basis
        for key, value in (("packets", RX + TX), ("rx_packets", RX), ("tx_packets", TX)):
            assert float(r["interface_%s_per_s" % key]) == value * times, (name, r)
        for key, value in (("bits", RX + TX), ("rx_bits", RX), ("tx_bits", TX)):
            assert float(r["interface_%s_per_s" % key]) == 8 * SIZE * value * times, (name, r)
    series = [line for line in run("export", "openmetrics", "-q", "-o", "-", name).splitlines() if 'per="packet",interfaces="%s"' % basis in line]
    assert len(series) == 4 and all(abs(float(line.split()[1]) * 1e9 * times / NS - 1) < 1e-3 for line in series), series
    table = json.loads(run("sql", "--format=json", name, "SELECT packets, interface_basis FROM recordings"))
    assert table["rows"] == [{"packets": 4 * (RX + TX) * times, "interface_basis": basis}], table


CASES = {"container.nct": ([0, 1, 2, 1, 1], "physical", 1, "physical interfaces"),
         "loopback.nct": ([2, 0.1, 0, 0, 0.5], "own_namespace", 2.1, "interfaces of the recorder's namespace"),
         "between.nct": ([0, 0.1, 0, 0, 2], "all", 2.1, "all interfaces")}
for case, (counts, *expected) in CASES.items():
    write(case, counts)
    judge(case, *expected)
write("old.nct", CASES["container.nct"][0], classes=False)
judge("old.nct", "all", 5, "all interfaces")
for before, after, common, packets in (("container.nct", "loopback.nct", "own_namespace", (4, 2.1)), ("container.nct", "old.nct", "all", (5, 5))):
    both = json.loads(run("diff", "--per=packet", "--format=json", before, after))
    for side, times in zip(("before", "after"), packets):
        assert (both[side]["interface_basis"], both[side]["interface_packets"]) == (common, 4 * (RX + TX) * times), both[side]
        row = next(r for r in both["categories"] if r["key"] == "network")
        assert abs(row[side]["value"] * times / NS - 1) < 1e-3, row
