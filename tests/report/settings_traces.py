# SPDX-License-Identifier: BSD-2-Clause
"""Makes traces with settings of their hosts: two recordings with known differences, a broken
one, and one in which a setting occurs very often."""
import os

from make_traces import CONTEXT, HOST, MS, NETDEV, SOURCE, START, TICK, Trace

GONE = "gone"


def context(t, at_ns, rows):
    """rows: subject, name, value, and the reason if there is no value."""
    columns = [[row[i] if i < len(row) else "" for row in rows] for i in range(4)]
    t.add(CONTEXT, {1: at_ns, **{2 + i: column for i, column in enumerate(columns)}})


def trace(first, changed=()):
    t = Trace(k8=[0], **HOST, k10=0, k13=500, k14="off", k18=START)
    t.add(SOURCE, {1: "context", 2: "measured", 3: "/proc/sys, /sys, /proc/irq, ethtool, netlink, BPF", 4: ""})
    context(t, START, first)
    t.add(NETDEV, {1: 1, 2: "eth0", 3: 1})
    t.frame(START, START + 1000 * MS, [])
    for at in (START, START + 500 * MS, START + 1000 * MS):
        t.add(TICK, {1: at, 2: [0], 3: [None]})
    if changed:
        context(t, START + 1000 * MS, changed)
    t.end(0, 0, 0, 0)
    return t


def interface(name, gro, qdisc):
    return [(f"interface {name}", "driver", "veth"), (f"interface {name}", "generic-receive-offload", gro),
            (f"interface {name}", "qdisc", qdisc), (f"interface {name} rx-0", "rps_cpus", "0-1"),
            (f"interface {name} irq-38", "smp_affinity_list", "0-3,8")]


REFUSED = ("kernel", "preemption chosen", "", "Operation not permitted")
BEFORE = [("net.core", "rmem_max", "16777216"), ("net.ipv4", "tcp_rmem", "4096 131072 33554432"),
          *interface("eth0", "on", "mq fq_codel"), *interface("veth7", "on", "noqueue"),
          ("interface eth0", "master", "interface br-customer"), ("nftables", "rules", "12"),
          ("bpf", "cgroup_skb", "prog sd_fw_egress, prog customers_own"), REFUSED,
          ("cpu vulnerability", "spectre_v2", "Mitigation: Retpolines; STIBP: disabled; RSB filling"),
          ("host\x1b[31m", "a\nb", "10.1.2.3 secret 2026-11-20"), ("", "", "")]
AFTER = [("net.core", "rmem_max", "16777216"), ("net.ipv4", "tcp_rmem", "4096 131072 33554432"),
         *interface("eth0", "off", "fq"), *interface("veth8", "on", "noqueue"),
         ("interface eth0", "master", "interface br-customer"), ("nftables", "rules", "1012"),
         ("kernel", "preemption chosen", "full"), ("kernel", "clocksource", "tsc"),
         ("cpu vulnerability", "spectre_v2", "Mitigation: Retpolines; STIBP: disabled; RSB filling")]
CHANGED = [("interface eth0", "qdisc", "noqueue"), ("nftables", "rules", "1013"), ("net.core", "rmem_max", "", GONE),
           ("interface eth0", "mtu", "9000")]


def make(folder):
    path = lambda name: os.path.join(folder, name + ".nct")  # noqa: E731
    trace(BEFORE).write(path("set-before"))
    trace(AFTER, CHANGED).write(path("set-after"))
    trace([(f"interface veth{i}", "mtu", "1500") for i in range(60)]).write(path("set-many"))
    trace([("net.core", "rmem_max", str(i % 7)) for i in range(100000)]).write(path("set-often"))
    broken = trace(BEFORE)
    broken.frames[0][2][1][4].pop()
    broken.write(path("set-broken"))
