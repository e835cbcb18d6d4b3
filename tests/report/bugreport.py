# SPDX-License-Identifier: BSD-2-Clause
"""bugreport.py REPORT TRACE FILE...: checks that none of the files contains private data of a
trace. Names are those of scrubbed.py, and paths of cgroups. Short names are only searched for
as separate words, and not in pages, because the pages' scripts contain such words. Text must
not contain control characters."""
import html
import re
import sys

import scrubbed

OWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # control characters of terminals


def names(report, trace):
    before = scrubbed.records(report, trace)
    found = scrubbed.private_names(before)
    functions = " ".join(n for r in before if r["type"] == "symbols" for n in r["name"] if "bpf_prog_" not in n)
    for r in before:
        if r["type"] == "cgroups":
            found |= {p for p in r.get("path", []) if len(p) > 1}
    return {n for n in found if n not in functions}


def main(report, trace, *files):
    private = names(report, trace)
    for path in files:
        content = open(path, "rb").read()
        text = content.decode(errors="surrogateescape")
        if path.endswith(".txt") and OWN.search(text):
            sys.exit("%s has control characters" % path)
        if path.endswith(".html"):
            text = html.unescape(text)
        for name in private:
            if len(name) > 4:
                left = name in text
            else:
                left = path.endswith(".txt") and re.search(r"(?<![\w.-])%s(?![\w.-])" % re.escape(name), text)
            if left:
                sys.exit("%s: %r" % (path, name))
    if not private:
        sys.exit("there are no names to look for")


if __name__ == "__main__":
    main(*sys.argv[1:])
