# SPDX-License-Identifier: BSD-2-Clause
"""cells.py REPORT TRACE...: checks that a cell has the same value in text, JSON, CSV and HTML.
Text and page show the same characters, JSON and CSV have the same values, and the shown
values are these values rounded."""
import collections
import csv
import html.parser
import io
import json
import os
import re
import sys

from shown import NS, near as near_shown

sys.path.append(os.path.join(os.path.dirname(__file__), "../vectors"))
from report import Report  # noqa: E402


def rates(data):
    """CSV has the rates of all items as one table with a column for the item. It has no
    histograms."""
    return [dict({k: v for k, v in rate.items() if k not in ("every", "error_histogram")},
                 **{k: item[k] for k in ("kind", "name", "compared_with")})
            for item in data["items"] for rate in item["rates"]]


def messages(data):
    """CSV has the file in each row, and also has a row for a file without problems."""
    rows = [dict(m, file=data["file"]) for m in data["messages"]]
    if data["status"] == "ok":
        rows.append({"file": data["file"], "part": data["parts"], "level": "ok", "text": ""})
    return rows


def leaves(data):
    """CSV has a row for each leaf and CPU."""
    time = data["cpu_time"]
    rows = [dict({k: node[k] for k in ("ns", "percent", "sampled_percent", "sampled_ci95_percent", "source")}, leaf=node["key"], cpu="all")
            for node in time["tree"] if node["leaf"]]
    return rows + [{"leaf": leaf, "cpu": cpu["cpu"], "ns": ns, "sampled_percent": cpu["leaf_sampled_percent"][leaf]}
                   for cpu in time["per_cpu"] for leaf, ns in cpu["leaf_ns"].items()]


def inside(data):
    """CSV also has the categories of each CPU."""
    return [dict(c, cpu="all") for c in data["sampled_categories"]]


def owners(table):
    return lambda data: (data.get("owners") or {}).get(table, [])


# arguments, the JSON array that CSV prints as a table or a function that returns it, and the value
# of --table unless the main table is compared
REPORTS = [
    (["timeline"], "rows"), (["top", "--of=all"], "functions"), (["--by=cpu"], "rows"), (["--by=task"], "rows"),
    (["--by=process"], "rows"), (["--by=cgroup"], "rows"), (["--by=interval"], "rows"), (["accuracy"], rates), (["verify"], messages),
    (["rules"], "functions"), (["latency"], "rows"), (["latency", "--every=1s"], "rows"), (["path"], "rows"), (["path", "--by=interface"], "rows"),
    (["latency", "--tail"], "rows"), (["latency", "--by=process"], "rows"), (["latency", "--by=cgroup", "--every=1s"], "rows"),
    (["info", "--context"], "settings"), (["timeline", "--by=process"], "rows"),
    (["who", "--sort=cpu"], "rows"), (["who", "--sort=cpu", "--by=cgroup"], "rows"), (["who", "--sort=cpu", "--by=user"], "rows"),
    (["who", "--sort=cpu"], owners("received"), "received"), (["who", "--sort=cpu"], owners("fates"), "fates"),
]
DIFFS = [(["diff"], "categories")] + [(["diff"], key, key) for key in ("functions", "latency", "stages", "paths", "processes", "fates")]
TABLES = (["summary"], ["summary", "--other", "--per=requests=10"], ["--by=cpu"], ["info"], ["info", "--context"], ["top"], ["who", "--sort=cpu"], ["timeline", "--by=process"],
          ["latency"], ["latency", "--tail"], ["path"])  # reports of which every table is compared
# tables whose names JSON also uses for other objects
PLACES = {"cpu_time": "per.cpu_time", "received": "owners.received"}
# Rows that both CSV and JSON have, by their key, and columns that JSON lacks.
KEYED = [(["summary"], leaves, "leaves", ("leaf", "cpu")), (["summary"], inside, "inside", ("key", "cpu"))]
WHOLE = [(["summary"], ["--table=all"]), (["info"], []), (["latency"], ["--table=all"])]  # CSV has a row for each value of JSON

SHOWN = {"time": ["--full"], "inside": ["--full"], "rx": ["--full"], "costs": ["--full"], "latency": ["latency"], "stages": ["path"], "interfaces": ["--full"],
         "energy": ["--full"], "functions": ["top"], "tasks": ["--by=process", "--by=task"], "cgroups": ["--by=cgroup"],
         # sections of the page, and the command whose text shows the same
         "cpus": ["--by=cpu"], "timeline": ["timeline"], "accuracy": ["accuracy"]}

ALL, WIDE = [[], ["--rows=256"]], [["--wide"]]
# options of that command
MANY = {"timeline": [["--every=1ms"]], "tasks": ALL, "cgroups": ALL, "cpus": ALL, "stages": WIDE,
        "latency": WIDE + [["--wide", "--by=" + by] for by in ("interface", "cgroup", "process")]}
# Text whose columns have another order. A row of the page has the numbers of one of its lines.
MORE = {"tasks": [["who", "--sort=cpu", "--wide"], ["who", "--sort=cpu", "--wide", "--rows=256"],
                  ["who", "--sort=cpu", "--by=user", "--wide", "--rows=256"]],
        "cgroups": [["who", "--sort=cpu", "--by=" + by, "--wide", "--rows=256"] for by in ("cgroup", "container", "pod")]}


SCALES = (1, 1e3, 1e6, 1e9, 1e-3, 1e-2)
NUMBERS = (["who", "--sort=cpu"], ["who", "--sort=cpu", "--by=cgroup"], ["latency"], ["latency", "--by=process"], ["latency", "--tail"], ["path"],
           ["top", "--of=all"])


class Page(html.parser.HTMLParser):
    """Returns {section: [its tables' rows, without blanks]} of the tables' bodies."""

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
            self.rows.setdefault(self.section, []).append(self.row)
        elif tag in ("td", "th") and self.row is not None:
            self.row += "\t"

    def handle_data(self, data):
        if self.row is not None:
            self.row += data


def numbers(line):
    return collections.Counter(word for word in line.split() if re.fullmatch(r"-?[0-9.]+", word))


def squeeze(line):
    """Removes blanks and dashes: the page leaves out columns that have only dashes."""
    return re.sub(r"\s", "", re.sub(r"(?<!\S)-(?!\S)", "", line.replace("±", "+-")))


def flat(value, prefix=""):
    """Flattens an object with nested objects to {"leaf_ns.idle": ...}."""
    out = {}
    for k, v in value.items():
        if isinstance(v, dict):
            out.update(flat(v, prefix + k + "."))
        else:
            out[prefix + k] = v
    return out


def every_value(value, path=""):
    """Yields (path, value) of each nested value: ("energy.zones.2.counting", "true")."""
    if isinstance(value, (dict, list)):
        for k, v in value.items() if isinstance(value, dict) else enumerate(value):
            yield from every_value(v, "%s.%s" % (path, k) if path else str(k))
    else:
        yield path, cell(value)


def cell(value):
    """Returns the CSV form of a JSON value."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def named(data, path):
    """Returns the JSON values at paths that end with the keys. A single key matches only at the
    top."""
    if isinstance(data, dict):
        if path[0] in data:
            yield from named(data[path[0]], path[1:]) if path[1:] else [data[path[0]]]
        elif len(path) == 1:
            for v in data.values():
                yield from named(v, path)


class Trace:
    """name: one trace, or two for diff: "BEFORE:AFTER"."""

    def __init__(self, report, name):
        self.report, self.name, self.bad, self.cells, self.printed = report, name, [], 0, {}

    def run(self, *args):
        if args not in self.printed:
            status, out, _ = self.report.run(*args, *self.name.split(":"))
            self.printed[args] = out.decode() if status == 0 or args[0] == "verify" else ""
        return self.printed[args]

    def differ(self, what, a, b):
        self.cells += 1
        if a != b:
            self.bad.append("%s: %s: %r and %r" % (self.name, what, a, b))

    def lines(self, *args):
        """Returns the cells of text, without a timeline's latencies, which the page lacks."""
        lines = self.run(*args).splitlines()
        if args[0] == "timeline":  # the page has no local time
            lines = [re.sub(r"^ +[0-9:]{8} ", "", line) for line in lines]
        if args[0] == "timeline" and any(re.search("p50 +p99", line) for line in lines):
            lines = [re.sub(r"( +(-|[0-9.]+ [num]?s)){2}$", "", line) for line in lines]
        return lines

    def page_as_text(self):
        for section, rows in Page(self.run("html", "--no-charts", "-o", "-")).rows.items():
            many = MANY.get(section, [[]])
            text = {squeeze(line) for args in SHOWN[section] for more in many for line in self.lines(args, *more)}
            others = [numbers(line) for args in MORE.get(section, []) for line in self.lines(*args)]
            for row in rows:
                squeezed = squeeze(row)
                # in text the marks of a row follow it
                there = squeezed in text or section == "timeline" and any(t and squeezed.startswith(t) for t in text) or \
                    any(not numbers(row) - n for n in others)
                self.differ("page, " + section, row, row if there else "not in the text")

    def json(self, *args):
        text = self.run(*args, "--format=json")
        return json.loads(text, parse_float=str, parse_int=str) if text else None

    def csv(self, args, table=None):
        return list(csv.DictReader(io.StringIO(self.run(*args, "--format=csv", *(["--table=" + table] if table else [])))))

    def json_as_csv(self, args, key, table=None):
        data = self.json(*args)
        if not data:
            return
        rows = (key(data) if callable(key) else data.get(key)) or []
        lines = self.csv(args, table)
        what = " ".join(args + [table or "csv"])
        self.differ("rows of " + what, len(rows), len(lines))
        for i, (row, line) in enumerate(zip(rows, lines)):
            self.same_row("%s, row %d" % (what, i), {k: cell(v) for k, v in flat(row).items()}, line)
            self.differ("columns of " + what, sorted(flat(row)), sorted(line))

    def same_row(self, what, row, line):
        for k in line:
            if k in row and k not in ("name", "function", "module", "marks"):  # CSV writes text safely for spreadsheets
                self.differ("%s, %s" % (what, k), row[k], line[k])

    def tables(self, args):
        """Returns the names that --table accepts, as listed by the error for an unknown one."""
        status, _, err = self.report.run(*args, "--format=csv", "--table=?", *self.name.split(":"))
        self.differ("status of an unknown table", status, 2)
        return re.fullmatch(r"netcost-report: --table: '\?' is not one of (.*), or all\n", err.decode()).group(1).split(", ")

    def every_table(self, args):
        """Checks that each table has the rows and cells that JSON has under that name, and also
        for an object with an entry for each row."""
        data = self.json(*args)
        for table in self.tables(args) if data else []:
            values, what = list(named(data, PLACES.get(table, table).split("."))), " ".join(args + [table])
            lines = self.csv(args, table)
            self.differ("places of " + what, len(values) < 2, True)
            if not values or values[0] is None:  # only CSV has the value, or it was not recorded
                continue
            keyed = isinstance(values[0], dict)
            rows = list(values[0].values()) if keyed else values[0]
            self.differ("rows of " + what, len(rows), len(lines))
            for i, (row, line) in enumerate(zip(rows, lines)):
                if keyed:
                    self.differ(what + ", key", list(values[0])[i], next(iter(line.values())))
                if isinstance(row, dict):
                    cells = {k: cell(v) for k, v in flat(row).items() if not isinstance(v, list)}
                    self.differ("columns of " + what, cells.keys() <= line.keys(), True)
                    self.same_row("%s, row %d" % (what, i), {k: v for k, v in cells.items() if re.fullmatch(r"[\w.-]*", v)}, line)
                else:
                    self.differ("%s, row %d" % (what, i), cell(row), list(line.values())[-1])

    def json_as_keyed_csv(self, args, key, table, by):
        data = self.json(*args)
        if not data:
            return
        lines = {tuple(line[k] for k in by): line for line in self.csv(args, table)}
        for row in key(data):
            row = {k: cell(v) for k, v in row.items()}
            line = lines.get(tuple(row[k] for k in by))
            self.differ("row of " + table, True, line is not None)
            if line:
                self.same_row("%s, %s" % (table, [row[k] for k in by]), row, line)

    def json_as_whole_csv(self, args, how):
        data = self.json(*args)
        if not data:
            return
        lines = {line["key"]: line["value"] for line in self.csv([*args, *how])}
        values = dict(every_value(data))
        self.differ("values of " + args[0], sorted(values.keys() - lines.keys()), sorted(lines.keys() - values.keys()))
        for k in values.keys() & lines.keys():
            if lines[k][:1] != "'":  # CSV writes text safely for spreadsheets
                self.differ("%s, %s" % (args[0], k), values[k], lines[k])

    def text_as_json(self):
        data = self.run("summary", "--format=json")
        if not data:
            return
        lines = [squeeze(line) for line in self.run("summary", "--full").splitlines()]
        for node in json.loads(data)["cpu_time"]["tree"]:
            if node["ns"] is None or node["key"] == "user_and_other_kernel":
                continue
            wall = json.loads(data)["cpu_time"]["wall_ns"]
            near = {squeeze(t + p) for t in near_shown(node["ns"], node["ci95_ns"] or 0, slack=1, unit=NS, bound=True, alone=True, limit=wall)
                    for p in near_shown(node["percent"], 100 * (node["ci95_ns"] or 0) / wall, most=2, bound=True, limit=100)}
            shown = min(near)
            self.differ("tree, " + node["key"], shown, shown if any(n in l for n in near for l in lines) else "not there")

    def numbers_as_json(self, *args):
        """Checks that each decimal number in text is a rounded number of JSON in ns, us, ms or
        s, as a share or in percent."""
        values = {abs(float(v)) for _, v in every_value(self.json(*args) or {}) if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", v)}
        shown = {"%.*f" % (digits, value / scale + off * 10 ** -digits) for value in values for scale in SCALES for digits in (1, 2, 3)
                 for off in (-0.01, 0, 0.01)}
        for line in self.run(*args).splitlines():
            # values that JSON does not contain, because readers can calculate them
            if line.endswith((" sum", " others")):
                continue
            for number in re.findall(r"(?<![<>] )(?<![0-9.A-Za-z_:-])[0-9]+\.[0-9]{1,3}(?![0-9.A-Za-z_:])", line):
                self.differ("%s, number of %r" % (" ".join(args), line), number, number if number in shown else "not in JSON")

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


bad, cells, program = [], 0, Report(sys.argv[1])
for name in sys.argv[2:]:
    t = Trace(program, name)
    if ":" in name:
        for report in DIFFS:
            t.json_as_csv(*report)
        t.every_table(["diff"])
    else:
        t.page_as_text()
        t.text_as_json()
        t.messages_as_text()
        t.rules_as_text()
        for args in NUMBERS:
            t.numbers_as_json(*args)
        for report in REPORTS:
            t.json_as_csv(*report)
        for report in KEYED:
            t.json_as_keyed_csv(*report)
        for report in WHOLE:
            t.json_as_whole_csv(*report)
        for args in TABLES:
            t.every_table(args)
    bad += t.bad
    cells += t.cells
program.close()
print("\n".join(bad[:20]))
print("%d cells and rows of %d traces" % (cells, len(sys.argv) - 2))
sys.exit(bool(bad) or not cells)
