# SPDX-License-Identifier: BSD-2-Clause
"""cells.py REPORT TRACE...: a cell is the same in text, JSON, CSV and HTML.

Text and page show people the same characters, JSON and CSV give programs the same, and what people see is what programs
get, rounded.
"""
import csv
import html.parser
import io
import json
import re
import subprocess
import sys



def rates(data):
    """CSV has the rates of all items as one table, which says what they are of; and no histograms."""
    return [dict({k: v for k, v in rate.items() if k != "every" and not k.endswith("_histogram")},
                 basis=side["basis"], **{k: item[k] for k in ("kind", "name", "compared_with")})
            for side in data["bases"] for item in side["items"] for rate in item["rates"]]


def messages(data):
    """CSV has the file in each row, and a row for one that is all right."""
    rows = [dict(m, file=data["file"]) for m in data["messages"]]
    if data["status"] == "ok":
        rows.append({"file": data["file"], "part": data["parts"], "level": "ok", "text": ""})
    return rows


REPORTS = [  # arguments, the array of JSON that CSV prints as a table, or what makes it
    (["timeline"], "rows"), (["top", "--all"], "functions"), (["--by=cpu"], "rows"), (["--by=task"], "rows"),
    (["--by=process"], "rows"), (["--by=interval"], "rows"), (["accuracy"], rates), (["verify"], messages),
    (["rules"], "functions"), (["latency"], "rows"), (["latency", "--every=1s"], "rows"), (["stages"], "rows"), (["stages", "--by=interface"], "rows"),
    (["latency", "--tail"], "rows"), (["latency", "--by=process"], "rows"), (["latency", "--by=cgroup", "--every=1s"], "rows"),
]
SHOWN = {"time": ["summary"], "inside": ["summary"], "rx": ["summary"], "costs": ["summary"], "latency": ["latency"], "stages": ["stages"], "interfaces": ["summary"],
         "energy": ["summary"], "functions": ["top"], "tasks": ["--by=process", "--by=task"], "cgroups": ["--by=cgroup"],
         "cpus": ["--by=cpu"], "timeline": ["timeline"], "accuracy": ["accuracy"]}  # sections of the page: the text that shows the same

ALL, WIDE = [[], ["--rows=256"]], [["--wide"]]
MANY = {"tasks": ALL, "cgroups": ALL, "cpus": ALL, "stages": WIDE,  # and with which options it is shown
        "latency": WIDE + [["--wide", "--by=" + by] for by in ("interface", "cgroup", "process")]}


class Page(html.parser.HTMLParser):
    """{section: [its tables' rows, without blanks]}; of the tables' bodies."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.section, self.row, self.body = {}, None, None, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "section":
            self.section = dict(attrs).get("aria-labelledby")
        elif tag in ("tbody", "thead"):
            self.body = tag == "tbody"
        elif tag == "tr":
            self.row = ""

    def handle_endtag(self, tag):
        if tag == "tr" and self.body and self.section in SHOWN:
            self.rows.setdefault(self.section, []).append(squeeze(self.row))

    def handle_data(self, data):
        if self.row is not None:
            self.row += data


def squeeze(line):
    return re.sub(r"\s", "", line.replace("±", "+-"))


def flat(value, prefix=""):
    """{"leaf_ns.idle": …} of an object with objects in it."""
    out = {}
    for k, v in value.items():
        if isinstance(v, dict):
            out.update(flat(v, prefix + k + "."))
        else:
            out[prefix + k] = v
    return out


class Trace:
    def __init__(self, report, name):
        self.report, self.name, self.bad, self.cells, self.printed = report, name, [], 0, {}

    def run(self, *args):
        if args not in self.printed:
            p = subprocess.run([self.report, *args, self.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.printed[args] = p.stdout.decode() if p.returncode == 0 or args[0] == "verify" else ""
        return self.printed[args]

    def differ(self, what, a, b):
        self.cells += 1
        if a != b:
            self.bad.append("%s: %s: %r and %r" % (self.name, what, a, b))

    def lines(self, *args):
        """Of text; without a timeline's latencies, which the page does not have."""
        lines = self.run(*args).splitlines()
        if args[0] == "timeline" and any("p50 us" in line for line in lines):
            lines = [line.rsplit(None, 2)[0] for line in lines if len(line.split()) > 2]
        return lines

    def page_as_text(self):
        for section, rows in Page(self.run("html", "--no-charts")).rows.items():
            many = MANY.get(section, [[]])
            text = {squeeze(line) for args in SHOWN[section] for more in many for line in self.lines(args, *more)}
            for row in rows:
                # in text the marks of a row are below it
                there = row in text or section == "timeline" and any(t and row.startswith(t) for t in text)
                self.differ("page, " + section, row, row if there else "not in the text")

    def json_as_csv(self, args, key):
        data, table = self.run(*args, "--format=json"), self.run(*args, "--format=csv")
        if not data:
            return
        data = json.loads(data, parse_float=str, parse_int=str)
        rows = key(data) if callable(key) else data[key]
        lines = list(csv.DictReader(io.StringIO(table)))
        self.differ("rows of " + args[0], len(rows), len(lines))
        for i, (row, line) in enumerate(zip(rows, lines)):
            row = {k: "" if v is None else str(v).lower() if isinstance(v, bool) else v for k, v in flat(row).items()}
            self.differ("columns of " + args[0], sorted(row), sorted(line))
            for k in line:
                want = row.get(k, "")
                if k in ("name", "function", "module", "marks"):
                    continue  # CSV writes text safely for spreadsheets
                self.differ("%s, row %d, %s" % (args[0], i, k), want, line[k])

    def text_as_json(self):
        data = self.run("summary", "--format=json")
        if not data:
            return
        lines = [squeeze(line) for line in self.run("summary").splitlines()]
        for node in json.loads(data)["cpu_time"]["tree"]:
            if node["ns"] is None or node["key"] == "user_and_other_kernel":
                continue
            shown = "%.1f%.2f" % (node["ns"] / 1e6, node["percent"])
            near = {"%.1f%.2f" % ((node["ns"] + a) / 1e6, node["percent"] + b) for a in (-1, 0, 1)
                    for b in (-5e-5, 0, 5e-5)}
            self.differ("tree, " + node["key"], shown, shown if any(n in l for n in near for l in lines) else "not there")

    def messages_as_text(self):
        data = json.loads(self.run("verify", "--format=json"))
        lines = self.run("verify").splitlines()
        self.differ("verify, lines", len(lines), len(messages(data)))
        for line, m in zip(lines, messages(data)):
            self.differ("verify", line[-len(m["text"]):] if m["text"] else line.split(",")[0], m["text"] or self.name + ": ok")

    def rules_as_text(self):
        functions = json.loads(self.run("rules", "--format=json"))["functions"]
        there, words = set(), {}
        for line in self.run("rules").splitlines():
            line = line.split()
            if line[:1] in (["leaf"], ["category"]):
                there = line[1]
            elif line[:1] == ["functions"]:
                words.update({(there, w): True for w in line[1:]})
            elif line[:5] == ["#", "not", "in", "this", "trace:"]:
                words.update({(there, w): False for w in line[5:]})
        self.differ("rules", {(f["category"], f["function"]): f["in_trace"] for f in functions}, words)


bad, cells = [], 0
for name in sys.argv[2:]:
    t = Trace(sys.argv[1], name)
    t.page_as_text()
    t.text_as_json()
    t.messages_as_text()
    t.rules_as_text()
    for args, key in REPORTS:
        t.json_as_csv(args, key)
    bad += t.bad
    cells += t.cells
print("\n".join(bad[:20]))
print("%d cells and rows of %d traces" % (cells, len(sys.argv) - 2))
sys.exit(bool(bad) or not cells)
