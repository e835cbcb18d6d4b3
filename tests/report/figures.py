# SPDX-License-Identifier: BSD-2-Clause
"""Checks that a figure has the same value and the same interval in all outputs.

    figures.py REPORT same TRACE...       compares summary with html, diff, timeline, rows, charts, exported tables
    figures.py REPORT own TRACE...        compares the cost with its parts and its leaf, and processes with the summary
    figures.py REPORT bounded TRACE...    checks that no unit cost has an interval that is larger than the cost

cells.py compares text, JSON, CSV and page cell by cell.
"""
import json
import os
import re
import sys
import tempfile

from shown import NS, near as near_shown

sys.path.append(os.path.join(os.path.dirname(__file__), "../vectors"))
from report import Report  # noqa: E402

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"


def half_key(key):
    """Returns the key of the half-width: "network_ns_per_..." has "network_ci95_ns_per_..."."""
    before, _, after = key.partition("_per_")
    what, _, unit = before.rpartition("_")
    return "%s_ci95_%s_per_%s" % (what, unit, after)


def near(a, b, within=1e-4):
    return a is b is None or (None not in (a, b) and abs(a - b) <= within * (1 + abs(b)))


def rx_legend(script):
    """Returns the titles and values of the chart's last panel, which is the RX softirq's."""
    panel = script.rpartition("{/:Bold RX softirq")[2]
    return dict(re.findall(r"set label '((?!others)[a-zA-Z0-9 ]+)' at .* left .*\nset label '([^'%]+?)(?: %)?' at .* right ", panel))


class Refused(Exception):
    """The command failed."""


class Figures:
    def __init__(self, report, trace, options):
        self.report, self.trace, self.options, self.bad, self.compared = report, trace, list(options), [], 0
        self.s = json.loads(self.run("summary", "--format=json"))
        self.tree = {n["key"]: n for n in self.s["cpu_time"]["tree"]}

    def run(self, *args):
        status, out, _ = self.report.run(*args, *self.options, self.trace)
        if status:
            raise Refused
        return out.decode()

    def demand(self, what, a, b, within=1e-4):
        self.compared += 1
        if not near(a, b, within):
            self.bad.append("%s %s: %s: %s and %s" % (self.trace, " ".join(self.options), what, a, b))

    def has_cgroups(self):
        return not self.report.run("summary", "--by=cgroup", *self.options, self.trace)[0]

    # ---- values for the whole time

    def rows(self):
        """Returns the row "all" of each breakdown, and the sum of its rows."""
        net = self.tree["network"]
        for by in ("cpu", "interval", "process", "task", "cgroup"):
            if by == "cgroup" and not self.has_cgroups():
                continue
            text = self.run("summary", "--by=" + by)
            rows = json.loads(self.run("summary", "--by=" + by, "--format=json", "--rows=1000"))["rows"]
            line = re.search(r"^  all +.*$", text, re.M)
            if not rows or not line or net["ns"] is None:
                continue
            words = re.sub(" +", " ", line.group(0) + " ")
            ci = net["ci95_ns"] or 0  # that of samples is larger
            shown = [t for k in (1, 2, 5) for t in near_shown(net["ns"], k * ci, slack=1, unit=NS, bound=True, alone=True)]
            self.demand("--by=%s, network of all" % by, True, any(" %s " % t in words for t in shown))
            if by in ("cpu", "interval"):
                shown = near_shown(net["percent"], 100 * ci / self.s["cpu_time"]["wall_ns"], most=2, bound=True)
                self.demand("--by=%s, network of all, %%" % by, True, any(" %s " % t in words for t in shown))
            if by != "interval":  # samples have other weights in intervals
                total = sum(r["network_ns"] or 0 for r in rows)
                self.demand("--by=%s, network of all rows" % by, total, net["ns"] or 0)

    def intervals(self):
        rows = json.loads(self.run("summary", "--by=interval", "--format=json"))["rows"]
        line = json.loads(self.run("timeline", "--format=json"))["rows"]
        self.demand("rows of timeline", len(line), len(rows))
        for a, b in zip(line, rows):
            most = 1e9 * (b["end_s"] - b["begin_s"]) * len(self.s["cpu_time"]["per_cpu"])
            self.demand("--by=interval, CPU time is at most that of the CPUs", True, not b["ns"] or b["ns"] < 1.05 * most)
            for key in ("network_ns", "network_ci95_ns", "network_percent", "network_sampled_percent", "network_sampled_ci95_percent"):
                self.demand("timeline, " + key, a[key], b[key])
            for leaf, ns in b["leaf_ns"].items():
                self.demand("timeline, " + leaf, a["leaf_ns"][leaf], ns)
        for leaf, n in self.tree.items():
            if not n["leaf"] or n["source"] != "exact":
                continue
            # The cost of the recorder, if it is estimated from samples, is subtracted from each row
            # by the row's own samples: the interval includes that error.
            within = max(1e-4, n["ci95_ns"] / n["ns"]) if n["ns"] else 1e-4
            self.demand("--by=interval, " + leaf, sum(r["leaf_ns"][leaf] or 0 for r in rows), n["ns"], within)

    def inside(self):
        for c in self.s["sampled_categories"]:
            if c["key"] == c["leaf"] and c["key"] in self.tree:
                self.demand("inside, " + c["key"], c["percent"], self.tree[c["key"]]["sampled_percent"])
                self.demand("inside, interval of " + c["key"], c["ci95_percent"], self.tree[c["key"]]["sampled_ci95_percent"])

    # ---- other outputs

    def diff(self):
        for per in ("cpu", "packet"):
            d = json.loads(self.run("diff", "--format=json", "--per=" + per, self.trace))
            for row in d["unit_costs"]:
                for side in ("before", "after"):
                    self.demand("diff, " + row["key"], row[side], self.s["unit_costs"][row["key"]])
                    self.demand("diff, interval of " + row["key"], row[side + "_ci95"], self.s["unit_costs"][half_key(row["key"])], 5e-4)
            for row in d["categories"]:
                if row["table"] != "main":
                    continue
                n = self.tree[row["key"]]
                if per == "cpu":
                    self.demand("diff, " + row["key"], row["before"]["value"], n["percent"])
                    if n["source"] not in (None, "at least"):
                        ci95 = 100 * n["ci95_ns"] / self.s["cpu_time"]["wall_ns"]
                        self.demand("diff, interval of " + row["key"], row["before"]["ci95"], ci95)
                elif row["key"] == "network" and self.s["unit_costs"]["network_ns_per_interface_packet"]:
                    self.demand("diff --per=packet, network", row["before"]["value"],
                                self.s["unit_costs"]["network_ns_per_interface_packet"])

    def page(self):
        text = self.run("html", "--no-charts", "-o", "-")
        net = self.tree["network"]["percent"]
        row = re.search(r'<th scope="row" class="d0">network</th><td>(?:at least )?([0-9.]+)', text)
        if net is not None and row:
            decimals = len(row[1].partition(".")[2])
            self.demand("page, network", True, abs(float(row[1]) - net) <= 0.51 * 10 ** -decimals + 0.005)
        cost = re.search(r"<dt>network</dt><dd>([0-9.]+)(?: ± [0-9.]+)? (ns|us|ms|s) per interface packet", text)
        v = self.s["unit_costs"]["network_ns_per_interface_packet"]
        if v is not None and cost:
            scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[cost[2]]
            self.demand("page, cost of a packet", True, abs(float(cost[1]) * scale / v - 1) < 0.06)

    def charts(self):
        """Returns the leaves of the breakdown and their legend. Very small leaves are not shown."""
        if self.tree["network"]["percent"] is None:
            return
        script = self.run("plot", "breakdown", "--script")
        parts = rx_legend(script)
        labels = set(re.findall(r"set label '(?:at least )?((?:< )?[0-9.]*) %", script.replace("'under ", "'< ")))
        for key in ("user", "network", "sock_send", "sock_recv", "rx_softirq"):
            if (self.tree[key]["percent"] or 0) > 0.006:
                self.demand("plot breakdown, " + key, True, bool(labels & near_shown(
                    self.tree[key]["percent"], 100 * (self.tree[key]["ci95_ns"] or 0) / self.s["cpu_time"]["wall_ns"], most=2, bound=True, alone=True)))
        script = self.run("plot", "timeline", "--script")
        if "'at least" not in script and "'not separated'" not in script:  # else the legend describes the areas, as they are drawn
            for title, value in rx_legend(script).items():
                self.demand("plot timeline, " + title, True, parts.get(title, value) == value)
        legend, unknown = set(re.findall(r"set label '((?:< )?[0-9.]+)' ", script.replace("'under ", "'< "))), "'at least" in script
        for key in ("network", "sock_send", "sock_recv", "rx_softirq"):
            if (self.tree[key]["percent"] or 0) > 0.006 and not unknown:
                self.demand("plot timeline, " + key, True, bool(legend & near_shown(
                    self.tree[key]["percent"], 100 * (self.tree[key]["ci95_ns"] or 0) / self.s["cpu_time"]["wall_ns"], most=2, bound=True, alone=True)))

    def tables(self):
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.run("export", "tables", "-q", "-o", folder)
            except Refused:
                return  # the trace has no time of day
            with open(os.path.join(folder, "recordings.ndjson"), encoding="utf-8") as f:
                row = json.loads(f.readline())
        for a, b in (("ns_per_packet", "network_ns_per_interface_packet"), ("ms_per_gb", "network_ms_per_interface_gb"),
                     ("rx_ns_per_packet", "rx_softirq_ns_per_packet")):
            self.demand("tables, " + a, row[a], self.s["unit_costs"][b])
        for a, b in (("network_ns", "ns"), ("network_ci95_ns", "ci95_ns")):
            self.demand("tables, " + a, row[a], self.tree["network"][b])

    def weaknesses(self):
        """Checks that the network's figures equal those of the tables. Samples have no hard
        interrupts."""
        for w in self.s["weaknesses"]:
            irq = self.tree["hardirq_net"]["percent"] or 0
            if w["of"] == "network":
                n, texts = self.tree["network"], re.findall(NUMBER, w["text"])[:3]
                said = [float(text) for text in texts]
                for text, v in zip(texts, (n["percent"] - irq, n["sampled_percent"], n["sampled_ci95_percent"])):
                    self.demand("weakness of network", float(text), v, 0.6 * 10 ** -len(text.partition(".")[2]))
                self.demand("weakness of network: more than 5 %", True, abs(said[0] - said[1]) > 0.05 * max(said[:2]) - 0.01)

    def all(self):
        self.rows()
        self.intervals()
        self.inside()
        self.diff()
        self.page()
        self.charts()
        self.tables()
        self.weaknesses()
        return self


def own_cost(report, trace):
    """Both columns of a leaf exclude the recorder's own part, or both include it: their difference is the same."""
    out, own = Figures(report, trace, []), Figures(report, trace, ["--with-own-cost"])
    for key, n in out.tree.items():
        m = own.tree[key]
        if n["source"] == "exact" and n["sampled_percent"] is not None:
            out.demand("own cost of " + key, n["percent"] - n["sampled_percent"], m["percent"] - m["sampled_percent"], 2e-4)
    out.demand("own cost is known", True, (out.tree["netcost_itself"]["ns"] or 0) > 0)
    return out


def cost_is_whole(report, trace, bad, options):
    """Checks that the parts of the cost sum to the cost, and that it is no less than the leaf
    "netcost itself" and the recorder's process."""
    costs = 0
    for s in report.parts("summary", "--format=json", *options, trace):
        leaf = next(n for n in s["cpu_time"]["tree"] if n["key"] == "netcost_itself")
        cost, all_ns = s["cost"], s["cpu_time"]["wall_ns"]
        if leaf["ns"] is None or cost["percent_of_cpu_time"] is None:
            continue
        costs += 1
        whole, beside = cost["percent_of_cpu_time"], (cost["recorder_percent"] or 0) + (cost["statistics_percent"] or 0)
        parts = beside + sum(cost[k] or 0 for k in ("probes_percent", "other_programs_percent", "samples_percent"))
        if cost["measured"] and not near(parts, whole):
            bad.append("%s %s: parts of the cost sum to %s, not %s" % (trace, options, parts, whole))
        if 100 * leaf["ns"] / all_ns + beside > whole + 1e-5:
            bad.append("%s %s: the cost is %s, the leaf %s" % (trace, options, whole, 100 * leaf["ns"] / all_ns))
    return costs


def processes_are_leaves(report, trace, bad, options):
    """Checks that the times of all processes and the time that no process has sum to the
    summary's leaves."""
    figures = 0
    whos = report.parts("who", "--format=json", "-n", "1", *options, trace)
    for who, s in zip(whos, report.parts("summary", "--format=json", *options, trace)):
        if "sums" not in who or who["paused_ns"]:
            continue
        tree = {n["key"]: n for n in s["cpu_time"]["tree"]}
        rx = ("rx_softirq", "rx_thread", "rx_busy_poll")
        for leaf in ("sock_send", "sock_recv", "sock_local", "rx_softirq", "tx_softirq", "hardirq_net"):
            events = rx if leaf == "rx_softirq" else (leaf,)
            rows = sum(r[e + "_ns"] or 0 for r in who["rows"] for e in events)
            sums = [who["sums"][e] for e in events]
            if tree[leaf]["source"] != "exact" or sums[0]["processes_ns"] is None:
                continue
            figures += 1
            none = sum(v["remainder_ns"] or 0 for v in sums)
            if abs(rows + none - tree[leaf]["ns"]) > 10:
                bad.append("%s %s: %s of processes: %s, and %s in none, of %s" % (trace, options, leaf, rows, none, tree[leaf]["ns"]))
    return figures


def own(report, traces):
    bad = []
    costs = sum(cost_is_whole(report, t, bad, o) for t in traces for o in ([], ["--from=0.3"]))
    figures = sum(processes_are_leaves(report, t, bad, o) for t in traces for o in ([], ["--with-own-cost"]))
    print("\n".join(bad[:30]))
    print("%d costs, %d figures of processes" % (costs, figures))
    return int(bool(bad) or not costs or not figures)


def same(report, traces):
    bad, compared = [], 0
    for trace in traces:
        for options in ([], ["--from=0.5"], ["--with-own-cost"]):
            f = Figures(report, trace, options).all()
            bad += f.bad
            compared += f.compared
        if "figures" in trace:
            f = own_cost(report, trace)
            bad += f.bad
            compared += f.compared
    print("\n".join(bad[:30]))
    print("%d figures of %d traces" % (compared, len(traces)))
    return int(bool(bad) or not compared)


def bounded(report, traces):
    bad, costs = [], 0
    for trace in traces:
        for part in report.parts("summary", "--format=json", trace):
            cost = part["unit_costs"]
            for key in cost:
                if "_ci95_" in key or cost[key] is None:
                    continue
                costs += 1
                if (cost[half_key(key)] or 0) > cost[key]:
                    bad.append("%s: %s is %s +- %s" % (trace, key, cost[key], cost[half_key(key)]))
        text = report.run("summary", "--full", trace)[1].decode()
        table = re.search(r"^Unit costs.*?\n\n", text + "\n\n", re.M | re.S)
        for v, ci95 in re.findall(r" (%s) \+- +(%s) " % (NUMBER, NUMBER), table.group(0) if table else ""):
            if float(ci95) > float(v):
                bad.append("%s: %s +- %s in text" % (trace, v, ci95))
    print("\n".join(bad[:30]))
    print("%d unit costs of %d traces" % (costs, len(traces)))
    return int(bool(bad) or not costs)


def main():
    report, what, *args = sys.argv[1:]
    report = Report(report)
    failed = {"same": same, "bounded": bounded, "own": own}[what](report, args)
    report.close()
    return failed


sys.exit(main())
