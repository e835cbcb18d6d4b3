# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of SAMPLES: the times of the samples."""
from pieces import Enc, array_head, data, frame, integer, plain, rec, trace, vector

U62 = 2 ** 62


def samples(dts, base=1000000, unit=1000, step=1000, **more):
    """A record of samples of user code."""
    n = len(plain(dts))
    fields = dict(cpu=0, base_ns=base, unit_ns=unit, step=step, dt=dts, stack=[0] * n, task=[0] * n)
    return rec("samples", **{**fields, **more})


def ranged(first, last, *records):
    """A frame with samples from first to last, whose times a program that verifies checks."""
    return trace(data(frame(1, first_ns=first, last_ns=last), *records))


def make():
    def ok(name, shows, pieces):
        vector("dt-" + name, "ok", shows, pieces)

    ok("times", "samples as expected, late, early, and after some that were not taken",
       ranged(2000000, 3007002000, samples([0, 2, -4, 3000000, 0, 1])))
    ok("back", "samples that are far earlier than the one before",
       ranged(2000000, 63000000, samples([0, 60000, -50000, -1001, 5])))
    ok("unit", "a unit that is larger than the step", ranged(9000, 81000, samples([1, 3, -2, 7, -4], 0, 9000, 0)))
    ok("far", "the farthest that a sample can be, and the last moment", ranged(
        0, 2 ** 63 - 1, samples([U62, -U62], 0, 1, 0), samples([U62 - 1], U62, 1, 0), samples([0], 0, 1, 2 ** 63 - 1),
        samples([-1, -1], 2, 1, 0)))
    ok("encoded", "dt in every encoding, and the other columns beside them", ranged(
        0, 2 ** 40, rec("symbols", first=1, name=["f"], module=[0], offset=[0]), rec("stacks", first=1, up=[1], symbol=[1]),
        rec("tasks", first=1, tid=[7], tgid=[7], comm=["t"]), rec("cgroups", first=1, path=["/"]),
        samples(Enc([0, -32, 200, -128, 40000, -9000, 70000, -30000], array_head(8) + b"".join(
            integer(n, form) for n, form in ((0, 0xcc), (-32, None), (200, 0xcd), (-128, 0xd0), (40000, 0xce),
                                             (-9000, 0xd1), (70000, 0xcf), (-30000, 0xd3)))),
                10 ** 9, 2000, 500, stack=[1, 0] * 4, task=[1] * 8, cgroup=[0, 1] * 4)))
    ok("empty", "a record without samples", ranged(0, 0, samples([])))


def content():
    def put(name, shows, pieces):
        vector("content-" + name, "content", shows, pieces)

    def one(name, shows, *records):
        put(name, shows, trace(data(frame(1), *records)))

    put("dt-late", "a sample after FRAME's range", ranged(1000000, 2000999, samples([-1000, 1])))
    put("dt-early", "a sample more than the unit before FRAME's range", ranged(1001000, 9000000, samples([-1000, 1])))
    put("unit-zero-early", "a sample before FRAME's range, in units of 0 ns", ranged(1000000, 2000000, samples([0], 0, 0, 1000)))
    one("process-length", "columns of process_stats that differ in length",
        rec("processes", first=1, pid=[1], name=["a"], start_ns=[1], cgroup=[0], kernel=[0]),
        rec("process_stats", process=[1], task_ns=[1, 2]))
    one("process-undefined", "a process that is not defined",
        rec("process_stats", process=[1], task_ns=[1]))
    one("outside-length", "columns of messages outside that differ in length",
        rec("outside", process=[1, 2], name=["a"], family=[2, 2], sends=[1, 1], recvs=[0, 0]))
    one("dt-negative", "a sample before moment 0", samples([-1], 5, 10, 0))
    one("dt-last", "a sample after the last moment", samples([1], 2 ** 63 - 1, 1, 0))
    one("dt-wrap", "a sample 2^64 ns after an earlier one", samples([0] * 5, 0, 1, 2 ** 62))
    one("dt-length", "more dt than stacks", samples([0, 0], stack=[0]))
    fields = dict(cpu=0, base_ns=0, unit_ns=1, step=1, dt=[], stack=[], task=[])
    for key in fields:
        one("no-" + key.replace("_", "-"), f"SAMPLES without {key}",
            rec("samples", **{k: v for k, v in fields.items() if k != key}))
