# SPDX-License-Identifier: BSD-2-Clause
"""Tests tests/run.py: which lines are results, which skips it refuses, and how it reports tests that crash."""
import os
import sys

sys.path.insert(0, "tests")
import run  # noqa: E402

failed = False


def expect(name, want, got):
    global failed
    failed |= want != got
    print("ok %s" % name if want == got else "not ok %s: expected %r, got %r" % (name, want, got))


def outcome(script, limit_s=20):
    """Returns (status, name, text) of each result of a shell script that is run as a test."""
    runner.results.clear()
    runner.run(run.Job("host", "script", ["sh", "-c", script], limit_s, {}))
    return [(r.status, r.name, r.text) for r in runner.results]


LIST = os.path.join(os.environ.get("TMPDIR", "/tmp"), "runner-skips-%d" % os.getpid())
with open(LIST, "w", encoding="ascii") as f:
    f.write("# FEATURE | WHERE | WHY\nfentry | 6.18 | why\npackage of npm | any | why\nveth | - | why\n")
features = run.Features(LIST)
os.unlink(LIST)


def refused(kernel, text):
    return features.refuse("vm", kernel + ":name", text) is not None


expect("runner-ok", ("ok", "a.b", ""), run.parse("ok a.b"))
expect("runner-not-ok", ("not ok", "6.1:x", "expected 1: got 2"), run.parse("not ok 6.1:x: expected 1: got 2"))
expect("runner-skip", ("skip", "x", "needs y"), run.parse("skip x: needs y"))
expect("runner-no-result", None, run.parse("okay, that is none"))
expect("runner-skip-expected", False, refused("6.18", "needs fentry"))
expect("runner-skip-new", True, refused("6.1", "needs fentry"))
expect("runner-skip-other-machine", True, refused("6.1-one", "needs fentry"))
expect("runner-skip-any", False, refused("6.1", "needs package of npm"))
expect("runner-skip-nowhere", True, refused("6.12", "needs veth"))
expect("runner-skip-unknown-kernel", False, refused("7.7", "needs veth"))
expect("runner-skip-no-feature", True, refused("6.18", "needs something"))
expect("runner-skip-other-reason", True, refused("6.18", "fentry"))
runner = run.Runner(False)
runner.features = features
sys.stdout, out = open(os.devnull, "w"), sys.stdout
ended = [outcome(script) for script in ("echo ok x", "echo ok x; exit 3", "true", "echo skip x: needs nothing", "kill -9 $$",
                                         "echo not ok x: y; exit 1")] + [outcome("sleep 100", 1)]
sys.stdout = out
runner.sweep()
expect("runner-passes", [("ok", "x", "")], ended[0])
expect("runner-status", [("ok", "x", ""), ("not ok", "script", "exit status 3")], ended[1])
expect("runner-no-results", [("not ok", "script", "ended without a result")], ended[2])
expect("runner-refuses-skip", "not ok", ended[3][0][0])
expect("runner-killed", [("not ok", "script", "killed by signal 9")], ended[4])
expect("runner-says-why", [("not ok", "x", "y")], ended[5])
expect("runner-time", [("not ok", "script", "still running after 1 s")], ended[6])
with open("tests/skips", encoding="utf-8") as rows:
    expect("runner-skips-are-few", True, sum(1 for row in rows if row.strip()) <= 25)
sys.exit(failed)
