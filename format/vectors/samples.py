# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of SAMPLES: when their samples were, and lists of stacks."""
from pieces import Enc, array_head, data, frame, integer, plain, rec, trace, vector

U62 = 2 ** 62


def grid(offs, base=1000000, unit=1000, step=1000000, **more):
    """A record of samples of user code."""
    n = len(plain(offs))
    fields = dict(cpu=0, base_ns=base, unit_ns=unit, stack=[0] * n, task=[0] * n, step_ns=step, off=offs)
    return rec("samples", **{**fields, **more})


def ranged(first, last, *records):
    """A frame whose samples are all from first to last, which a program that verifies sees."""
    return trace(data(frame(1, first_ns=first, last_ns=last), *records))


def stacks(n):
    """Each on the one before, as deep as may be, then from the outermost function again; and their function."""
    return [rec("symbols", first=1, name=["f"], module=[0], offset=[0]),
            rec("stacks", first=1, up=[i if i % 127 == 1 else 1 for i in range(1, n + 1)], symbol=[1] * n)]


def coded(codes, values, **more):
    """Samples by a list of stacks."""
    n = len(plain(values))
    return rec("samples", **{**dict(cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0] * n, stack=values, task=[0] * n, codes=codes),
                             **more})


def codes(number, ids):
    return rec("stack_codes", id=number, stack=ids)


def lists():
    def ok(name, shows, *frames):
        vector("codes-" + name, "ok", shows, trace(*(data(frame(i), *objects) for i, objects in enumerate(frames, 1))))

    def bad(name, shows, *objects):
        vector("content-codes-" + name, "content", shows, trace(data(frame(1), *stacks(9), *objects)))

    ok("list", "stacks by their places in a list, and others behind it",
       [*stacks(9), codes(1, [9, 2, 5]), coded(1, [0, 1, 2, 3, 4, 12])])
    ok("replaced", "a list that replaces another one, and samples by none between",
       [*stacks(9), codes(1, [9, 2, 5]), coded(1, [1, 2, 3, 4]), coded(1, [4, 3, 2, 1, 0]),
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0, 0], stack=[9, 1], task=[0, 0]),
        codes(2, [1]), coded(2, [1, 2, 3, 10, 0])])
    ok("empty", "a list without stacks", [*stacks(9), codes(1, []), coded(1, [0, 1, 9])])
    ok("most", "a list of 127 stacks", [*stacks(300), codes(1, [300 - i for i in range(127)]),
                                        coded(1, [0, 1, 127, 128, 427, 200])])
    ok("same", "a stack that is in a list several times", [*stacks(2), codes(1, [2, 1, 2, 2]), coded(1, [1, 2, 3, 4, 5, 6])])
    ok("unused", "lists that no samples name", [codes(1, []), *stacks(3), codes(2, [3]), codes(3, [2, 1])])
    ok("frames", "a list in an earlier frame, and stacks that are defined behind it",
       [*stacks(9), codes(1, [9, 2])], [coded(1, [1, 2, 11])],
       [rec("stacks", first=10, up=[10], symbol=[1]), coded(1, [12, 1], cpu=1), codes(2, [10])], [coded(2, [1, 11])])
    ok("encoded", "ids and places in every encoding", [
        *stacks(9), rec("stack_codes", id=Enc(1, integer(1, 0xcd)), stack=Enc([9, 2, 5], array_head(3) + b"".join(
            integer(n, form) for n, form in ((9, 0xcc), (2, 0xcf), (5, 0xd1))))),
        coded(Enc(1, integer(1, 0xcf)), Enc([1, 2, 3, 4, 0], b"\xdc\0\5" + b"".join(
            integer(n, form) for n, form in ((1, 0xcd), (2, 0xce), (3, 0xd3), (4, 0xcc), (0, 0xd0)))))])
    ok("grid", "samples on a grid by a list", [*stacks(9), codes(1, [3]), grid([0, 1, -1], stack=[1, 0, 10], codes=1)])
    part = trace(data(frame(1), *stacks(9), codes(1, [4]), coded(1, [1, 2])))
    other = trace(data(frame(1), *stacks(9), codes(1, [5, 6]), coded(1, [1, 2, 3])))
    vector("codes-parts", "ok", "two parts, each with lists of its own", [*part, *other])
    vector("content-codes-parts", "content", "samples that name a list of the part before",
           [*part, *trace(data(frame(1), *stacks(9), coded(1, [1])))])
    bad("unknown", "samples by a list that is not defined", coded(1, [1]))
    bad("older", "samples by a list that was replaced", codes(1, [1]), codes(2, [2]), coded(1, [1]))
    bad("newer", "samples by a list that comes later", codes(1, [1]), coded(2, [1]), codes(2, [2]))
    bad("zero", "samples by list 0", codes(1, [1]), coded(0, [1]))
    bad("beyond", "what is behind a list is a stack that is not defined", codes(1, [1, 2]), coded(1, [11, 12]))
    bad("long", "a list of 128 stacks", codes(1, [1] * 128))
    bad("gap", "lists whose ids are not dense", codes(2, [1]))
    bad("again", "a list that is defined again", codes(1, [1]), codes(1, [2]), coded(1, [1]))
    bad("undefined", "a list with a stack that is not defined", codes(1, [10]))
    bad("none", "a list with stack 0", codes(1, [0]))
    bad("nil", "a list with a nil", codes(1, [None]))
    bad("nil-sample", "a sample of a nil by a list", codes(1, [1]), coded(1, [None]))
    bad("no-id", "a list without an id", rec("stack_codes", stack=[1]))
    bad("no-stack", "a list without its stacks", rec("stack_codes", id=1))


def make():
    def ok(name, shows, pieces):
        vector("grid-" + name, "ok", shows, pieces)

    ok("points", "samples at, before and behind the points of a grid",
       ranged(999000, 4003000, grid([-1, 2, 0, 3])))
    ok("missed", "samples that were not taken: what is expected goes on behind the next one",
       ranged(1000000, 7005000001000, grid([0, 3000, 0, -1998, 7000000005, -2])))
    ok("half", "half a step, even and odd, to either side of the nearest point",
       ranged(990, 1060, grid([5, -5, 0], 1000, 1, 10), grid([5, -5, 0], 1000, 1, 11), grid([6, -6, 0], 1000, 1, 11),
              grid([4, -6, 4], 1000, 1, 9)))
    ok("one", "a grid of 1 ns, whose every moment is a point",
       ranged(97, 799, grid([0, 5, -10, 700, 0, -3], 100, 1, 1)))
    ok("unit", "a unit that is larger than the step", ranged(0, 90000, grid([0, 3, -2, 7, -4], 5000, 9000, 700)))
    ok("back", "samples that are far earlier than the one before",
       ranged(1000000, 61881000, grid([0, 59000, -119, -50000, 3, 1])))
    ok("far", "the farthest that a sample can be, and the last moment", ranged(
        0, 2 ** 63 - 1, grid([U62, -U62, -1], 0, 1, U62), grid([U62, U62 - 2], 0, 1, 1), grid([1, -1], 0, U62, 3 << 60),
        grid([0], 2 ** 63 - 1, 1, 2 ** 63 - 1), grid([-1, -1], 1, 1, 2 ** 63 - 1)))
    ok("encoded", "offs in every encoding, and the other columns beside them", ranged(
        0, 2 ** 40, rec("symbols", first=1, name=["f"], module=[0], offset=[0]), rec("stacks", first=1, up=[1], symbol=[1]),
        rec("tasks", first=1, tid=[7], tgid=[7], comm=["t"]), rec("cgroups", first=1, path=["/"]),
        grid(Enc([0, -32, 200, -128, 40000, -9000, 70000, -30000], array_head(8) + b"".join(
            integer(n, form) for n, form in ((0, 0xcc), (-32, None), (200, 0xcd), (-128, 0xd0), (40000, 0xce),
                                             (-9000, 0xd1), (70000, 0xcf), (-30000, 0xd3)))),
             10 ** 9, 2000, 1001001, stack=[1, 0] * 4, task=[1] * 8, cgroup=[0, 1] * 4)))
    ok("both", "records of either kind, one behind the other", ranged(
        0, 5000, grid([1, -1], 100, 10, 1000),
        rec("samples", cpu=0, base_ns=100, unit_ns=10, step=100, dt=[1, -1], stack=[0, 0], task=[0, 0])))
    ok("empty", "a grid without samples", ranged(0, 0, grid([])))


def content():
    def put(name, shows, pieces):
        vector("content-" + name, "content", shows, pieces)

    def one(name, shows, *records):
        put(name, shows, trace(data(frame(1), *records)))

    put("grid-late", "a sample on a grid is behind FRAME's range", ranged(1000000, 2000999, grid([0, 1])))
    put("grid-early", "a sample on a grid is before FRAME's range", ranged(1001000, 9000000, grid([0, 1])))
    one("outside-length", "columns of messages outside that differ in length",
        rec("outside", process=[1, 2], name=["a"], family=[2, 2], sends=[1, 1], recvs=[0, 0]))
    one("grid-zero", "a grid of step_ns 0", grid([0, 1], step=0))
    one("grid-far", "a sample 2 ns farther from its point than may be", grid([U62 // 3 + 1], 0, 3, 10))
    one("grid-far-before", "a sample 2 ns farther before its point than may be", grid([-(U62 // 3) - 1], U62 + 9, 3, 10))
    one("grid-overflow", "how far a sample is from its point has more than 64 bits",
        grid([2 ** 40, -2 ** 40], 0, 2 ** 24, 10))
    one("grid-negative", "a sample before moment 0", grid([-1], 5, 10, 100))
    one("grid-last", "a sample behind the last moment", grid([1], 2 ** 63 - 1, 1, 100))
    one("grid-wrap", "a sample 2^64 ns behind an earlier one", grid([0] * 5, 0, 1, 2 ** 62))
    fields = dict(cpu=0, base_ns=0, unit_ns=1, stack=[0], task=[0])
    ways = dict(step=1, dt=[0], step_ns=1, off=[0])
    for name, keys in (("neither", ""), ("all", "step dt step_ns off"), ("step", "step_ns off step"),
                       ("dt", "step_ns off dt"), ("off", "step dt off"), ("ns", "step dt step_ns"),
                       ("mixed", "step off"), ("crossed", "step_ns dt"), ("alone", "off")):
        one("times-" + name, "times of SAMPLES by the keys " + (keys or "of neither pair"),
            rec("samples", **fields, **{k: ways[k] for k in keys.split()}))
    one("grid-length", "more offs than stacks", grid([0, 0], stack=[0]))
