# SPDX-License-Identifier: BSD-2-Clause
"""speedscope.py INDEX.html PROFILE: checks that speedscope opens the output of `export pprof`,
and shows the self times of the profile."""
import base64
import collections
import json
import os
import re
import sys
import tempfile

from browser import Browser, ONE_S
from profiles import Profile

ROWS = "[...document.querySelectorAll('tr')].map(r => [...r.querySelectorAll('td')].map(d => d.textContent))"
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def shown(text):
    """Converts a text such as "12.34ms (5.6%)" to ns."""
    match = re.match(r"([\d.,]+)\s*(ns|µs|ms|s)\b", text.strip())
    return float(match[1].replace(",", "")) * UNITS[match[2]]


def own_times(path):
    own = collections.Counter()
    for stack, values, _ in Profile(path).samples:
        own[stack[0][0]] += values[1]
    return own


def wait(b, expression):
    for _ in range(10 * ONE_S):
        value = b.run(expression)
        if value:
            return value
        b.settle(0.1)
    raise RuntimeError("never: " + expression)


def main(index, profile):
    b, name = Browser(), os.path.basename(profile)
    b.prompt = ""
    with tempfile.NamedTemporaryFile("w", suffix=".js") as script:
        data = base64.b64encode(open(profile, "rb").read()).decode()
        script.write("speedscope.loadFileFromBase64(%s, %s)" % (json.dumps(name), json.dumps(data)))
        script.flush()
        try:
            b.open(index + "#localProfilePath=" + script.name, 1600, False)
            print(wait(b, "document.title.endsWith('- speedscope') && document.title"))
            b.key("3", 51)  # the table of functions, sorted by self time
            rows = [row for row in wait(b, ROWS + ".length > 3 && " + ROWS) if len(row) == 3]
            errors = [e for e in b.events if e.get("method") == "Runtime.exceptionThrown"]
        finally:
            b.close()
    print(*rows[:5], *errors, sep="\n")
    ours = own_times(profile).most_common(3)
    print(*ours, sep="\n")
    return len(rows) > 3 and not errors and all(row[2].strip() == function and abs(shown(row[1]) - ns) <= 0.01 * ns
                                                for (function, ns), row in zip(ours, rows))


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
