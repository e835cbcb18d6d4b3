# SPDX-License-Identifier: BSD-2-Clause
"""sentences.py REPORT BEFORE AFTER: checks that scrubbing leaves the recorder's own sentences
unchanged in a real trace that has no private name in a sentence."""
import json
import subprocess
import sys

TEXTS = {"source": ("via", "why"), "probe": ("refused", "reason"), "end": ("why",)}


def sentences(report, path):
    out = subprocess.run([report, "dump", path], check=True, stdout=subprocess.PIPE).stdout
    for line in out.splitlines():
        r = json.loads(line)
        for key in TEXTS.get(r["type"], ()):
            yield "%s.%s" % (r["type"], key), r.get(key)


def main(report, before, after):
    pairs = list(zip(sentences(report, before), sentences(report, after)))
    wrong = [p for p in pairs if p[0] != p[1]]
    for a, b in wrong:
        print("%s: %r became %r" % (*a, b[1]), file=sys.stderr)
    return bool(wrong) or len(pairs) < 10


sys.exit(main(*sys.argv[1:]))
