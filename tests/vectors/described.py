#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""described.py TRACE...: checks that the script at the beginning of format/SPEC.md prints traces
using only their own description. It is run in a folder that only has the trace. What it
prints must be the names and units of SPEC.md's tables, and the values that format/reader.py
reads. Prints the differences."""
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, "format")
import reader  # noqa: E402

reader.REASON_KEYS = {}  # the script prints reasons as they are in the trace

LINES = 14  # largest number of lines of the script


def script_and_titles():
    """Returns the script, and {(record, key): key and unit}."""
    with open("format/SPEC.md", encoding="utf-8") as spec:
        text = spec.read()
    kind, titles = "", {}
    for line in text.partition("## 9.")[2].splitlines():
        head = re.match(r"\| \*\*\d+\*\* \| \*\*`([A-Z_]+)`", line)
        row = re.match(r"\| [\d–]+ \| (`\w+`(?:, `\w+`)*) \| (?:UINT|INT|STR)S? \| ([^|]*)\|", line)
        kind = head[1].lower() if head else kind
        for name in re.findall(r"\w+", row[1] if row else ""):
            titles[kind, name] = f"{name} {row[2].strip()}".strip()
        # several types have these keys
        titles[kind, "began_ns"], titles[kind, "ended_ns"] = "began_ns ns", "ended_ns ns"
    return re.search(r"^```python\n(.*?)^```$", text, re.S | re.M)[1], titles


def printed(script, trace):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(trace, folder + "/trace.nct")
        done = subprocess.run([sys.executable, "-I", "-c", script, "trace.nct"], cwd=folder, check=False, capture_output=True,
                              env={"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"})
    if done.returncode:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:])
    return done.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]


def with_names(rows):
    """Returns records with the names that the trace has for numbers."""
    called = {(row["of"], number): name for row in rows if row["type"] == "names"
              for number, name in zip(row["number"], row["name"])}
    enums = {(name, keys[key][0]): reader.ONE_OF[number, key] for number, (name, keys) in reader.TYPES.items()
             for key in keys if (number, key) in reader.ONE_OF}

    def named(of, value):
        return [named(of, v) for v in value] if isinstance(value, list) else called.get((of, value), value)

    return [{name: named(enums.get((row["type"], name)), value) for name, value in row.items()} for row in rows]


def differ(script, titles, trace):
    with open(trace, "rb") as stream:
        rows = with_names(list(reader.Reader(stream)))
    lines = printed(script, trace)
    if len(lines) != len(rows):
        return f"{len(lines)} lines, {len(rows)} records"
    for line, row in zip(lines, rows):
        kind = row.pop("type")
        wanted = [(titles.get((kind, name), name), value) for name, value in row.items()]
        name, _, values = line.partition(" ")
        if name != kind or list(ast.literal_eval(values).items()) != wanted:
            return f"{line[:200]}: is {kind} {str(dict(wanted))[:200]}"
    return ""


def main(traces):
    script, titles = script_and_titles()
    wrong = [] if len(script.splitlines()) <= LINES else [f"format/SPEC.md: a script of {len(script.splitlines())} lines"]
    for trace in traces:
        try:
            why = differ(script, titles, trace)
        except (ValueError, SyntaxError, reader.Stop) as error:
            why = str(error)
        wrong += [f"{trace}: {why}"] if why else []
    print(*wrong, f"{len(traces)} traces", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
