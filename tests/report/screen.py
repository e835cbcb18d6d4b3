# SPDX-License-Identifier: BSD-2-Clause
"""screen.py REPORT TRACE...: checks that the summary is at most 40 lines of 100 columns, and
that its figures are the rounded figures of JSON."""
import json
import re
import subprocess
import sys

from shown import NS, UJ, near

LINES, COLUMNS = 40, 100
SHARES = {"network": "network", "socket send": "sock_send", "socket receive": "sock_recv", "RX softirq": "rx_softirq",
          "TX softirq": "tx_softirq", "hard interrupts": "hardirq_net", "other network": "other_network",
          "netcost itself": "netcost_itself"}
NUMBER = r"(?:[<>] )?-?[0-9.]+(?: \+- +[0-9.]+)?"
COSTS = {  # the text after the value: the cost's key, and its unit
    ("RX softirq", "per softirq packet"): ("rx_softirq_ns_per_packet", NS, 1),
    ("RX softirq", "per polled packet"): ("rx_softirq_ns_per_polled_packet", NS, 1),
    ("socket send", "per call"): ("socket_send_ns_per_call", NS, 1), ("socket send", "per kB"): ("socket_send_ns_per_kb", NS, 1),
    ("socket receive", "per call"): ("socket_receive_ns_per_call", NS, 1), ("socket receive", "per kB"): ("socket_receive_ns_per_kb", NS, 1),
    ("network", "per interface packet"): ("network_ns_per_interface_packet", NS, 1),
    ("network", "per interface GB"): ("network_ms_per_interface_gb", NS, 1e6),
    ("network, energy", "per interface packet"): ("network_uj_per_interface_packet", UJ, 1),
    ("network, energy", "per interface GB"): ("network_j_per_interface_gb", UJ, 1e6)}


def squeeze(text):
    return re.sub(r" +", " ", text)


class Screen:
    def __init__(self, report, trace):
        self.report, self.trace, self.bad, self.figures = report, trace, [], 0
        p = subprocess.run([report, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.text = p.stdout.decode()

    def json(self, *args):
        p = subprocess.run([self.report, *args, "--format=json", self.trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return json.loads(p.stdout) if p.stdout else None

    def is_of_one_part(self):
        return self.text.count("Share of CPU time") == 1

    def wrong(self, *what):
        self.bad.append("%s: %s" % (self.trace, " ".join(str(w) for w in what)))

    def demand(self, what, text, expected):
        self.figures += 1
        if squeeze(text).strip() not in expected:
            self.wrong(what, repr(squeeze(text)), "not in", expected)

    def fits(self):
        lines = self.text.splitlines()
        if len(lines) > LINES:
            self.wrong(len(lines), "lines")
        for line in lines:
            if len(line) > COLUMNS and not line.startswith(self.trace):
                self.wrong("%d columns: %s" % (len(line), line))

    def shares(self, data):
        wall = data["cpu_time"]["wall_ns"]
        tree = {n["key"]: n for n in data["cpu_time"]["tree"]}
        leaf = None
        for line in self.text.splitlines():
            m = re.match(r" +(%s) +(%s) +((?:< )?[0-9.]+ ?[a-z]*)(?: |$)" % ("|".join(SHARES), NUMBER), line)
            if m and "% of" not in line and " a " not in line and " an " not in line:
                leaf = SHARES[m[1]]
                node = tree[leaf]
                self.demand("share of " + leaf, m[2], near(node["percent"], 100 * (node["ci95_ns"] or 0) / wall, most=2, bound=True, limit=100))
                self.demand("time of " + leaf, m[3], near(node["ns"], node["ci95_ns"] or 0, slack=0.5, unit=NS, bound=True, alone=True, limit=wall))
            elif line.startswith("      ") and leaf:
                for title, value in re.findall(r"(?:^|, )(.*?) (%s)(?=, |$)" % NUMBER, line.strip()):
                    found = [c for c in data["sampled_categories"] if c["leaf"] == leaf and c["title"] == title]
                    allowed = set()
                    for c in found:
                        allowed |= near(c["self_percent"], c["self_ci95_percent"] or 0, most=2)
                    self.demand("category " + title, value, allowed)
            elif line.startswith("  not network"):
                leaf = None
            m = re.match(r"  the network has (?:at least )?(%s) %%" % NUMBER, line)
            if m:
                time = data["cpu_time"]
                self.demand("networking cost", m[1], near(time["normalized_networking_cost_percent"],
                                                          time["normalized_networking_cost_ci95_percent"] or 0, most=2))

    def costs(self, data):
        costs = data["unit_costs"]
        for line in self.text.splitlines():
            title = line[2:18].strip()
            for value, unit in re.findall(r"(?:  |, )(%s [a-zA-Z]+) (an? [a-zA-Z ]+?)(?=;|,|$)" % NUMBER, line[18:]):
                key, scale, times = COSTS[title, unit]
                what, _, per = key.partition("_per_")
                name, _, of = what.rpartition("_")
                ci = costs["%s_ci95_%s_per_%s" % (name, of, per)]
                self.demand("cost " + key, value, near(costs[key] * times, (ci or 0) * times, slack=5e-4 * times, unit=scale))

    def processes(self, data):
        parts = self.text.split("\nMost network time", 1)
        if len(parts) < 2:
            return
        lines = parts[1].splitlines()[1:]
        rows = []
        for line in lines:
            m = re.match(r"  (.*?) +(%s) +([0-9.]+ [a-z]+)$" % NUMBER, line)
            if not m:
                break
            rows.append(m.groups())
        exact = line.startswith("  exact")
        known = self.json("who", "--sort=network") if exact else self.json("--by=process", "--rows=5")
        ns = [(r["network_ns"], r.get("network_ci95_ns") or 0) for r in known["rows"] if r.get("kind", "process") == "process" or not exact]
        for _, _, time in rows:
            self.demand("process", time, {t for v, ci in ns if v is not None for t in near(v, ci, slack=0.5, unit=NS, alone=True)})


bad, figures = [], 0
for name in sys.argv[2:]:
    s = Screen(sys.argv[1], name)
    if s.is_of_one_part():
        data = s.json("summary")
        s.fits()
        s.shares(data)
        s.costs(data)
        s.processes(data)
    bad += s.bad
    figures += s.figures
print("\n".join(bad[:40]))
print("%d figures, %d wrong" % (figures, len(bad)))
sys.exit(bool(bad) or not figures)
