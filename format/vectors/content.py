# SPDX-License-Identifier: BSD-2-Clause
"""Vectors that break a rule of SPEC.md's section 4, or only seem to: each rule with a MUST."""
from pieces import MAGIC, Piece, data, frame, header, one, pack, rec, trace, vector, zstd

TICK = rec("tick", cpu=[0])
NETDEVS = [rec("netdev", id=i + 1) for i in range(70)]
SYMBOL = rec("symbols", first=1, name=["f"], module=[0], offset=[0])
DROP = rec("drop_reasons", first=1, name=["NO_SOCKET"], cpu=[0])


def put(name, shows, *objects, kind="content", second=None):
    """second: FRAME of the objects' frame."""
    vector(name if kind == "ok" else "content-" + name, kind, shows, trace(one(1), data(second or frame(2), *objects)))


def nils():
    sample = {"cpu": 0, "base_ns": 0, "unit_ns": 1, "step": 0, "dt": [0], "stack": [0], "task": [0]}
    for key in ("stack", "task", "cgroup"):
        put(f"nil-{key}", f"nil in SAMPLES' {key}", rec("samples", **{**sample, key: [None]}))
    put("nil-module", "nil in SYMBOLS' module", rec("symbols", first=1, name=["f"], module=[None], offset=[0]))
    put("nil-symbol", "nil in STACKS' symbol", SYMBOL, rec("stacks", first=1, up=[1], symbol=[None]))
    put("nil-up", "nil in STACKS' up", SYMBOL, rec("stacks", first=1, up=[None], symbol=[1]))
    put("nil-netdev", "nil in NETDEV_STATS' id", NETDEVS[0], TICK, rec("netdev_stats", id=[None]))
    put("nil-cpu-tick", "nil in TICK's cpu", rec("tick", cpu=[None]))
    put("nil-cpu-drops", "nil in DROP_REASONS' cpu", rec("drop_reasons", first=1, name=["NO_SOCKET"], cpu=[None]))


def in_header():
    for name, shows, cpus in (("nil-cpu-header", "nil in HEADER's cpus", [None]),
                              ("cpu-twice-header", "a CPU twice in HEADER's cpus", [0, 3, 0]),
                              ("cpu-limit-header", "a CPU number beyond the limit in HEADER", [8192])):
        vector("content-" + name, "content", shows, trace(one(1), head=data(header(cpus=cpus))))
    for name, shows, before, after in (("lost-falls", "FRAME's lost falls", [5], [4]),
                                       ("lost-length", "FRAME's lost has more elements than HEADER's cpus", [5], [5, 0])):
        vector("content-" + name, "content", shows, trace(
            data(frame(1, lost=before)), data(frame(2, lost=after)), head=data(header(cpus=[0]))))


    vector("content-lost-without-cpus", "content", "FRAME has lost, and HEADER no cpus", trace(
        data(frame(1, lost=[5])), head=data(header())))


def twice():
    put("exact-twice", "two EXACT of an event in a tick", TICK, *[rec("exact", event=1, ns=[1])] * 2)
    put("exact-part-twice", "two EXACT_PART of a part in a tick", TICK, *[rec("exact_part", part=1, ns=[1])] * 2)
    put("irqs-twice", "two IRQ_STATS of an interface in a tick", *NETDEVS, TICK,
        *[rec("irq_stats", netdev=70, interrupts=[1])] * 2)
    put("netdev-twice", "an interface twice in NETDEV_STATS", NETDEVS[0], TICK, rec("netdev_stats", id=[1, 1]))
    put("unknown-event-twice", "two EXACT of an event of later versions in a tick, and one that falls", TICK,
        *[rec("exact", event=event, ns=[5]) for event in (30, 63, 64, 30)], TICK, rec("exact", event=30, ns=[4]), kind="ok")
    put("unknown-part-twice", "two EXACT_PART of a part of later versions in a tick, and one that falls", TICK,
        *[rec("exact_part", part=part, ns=[5]) for part in (30, 63, 64, 30)], TICK, rec("exact_part", part=30, ns=[4]),
        kind="ok")
    put("probe-runs-falls", "runs of a probe that fall from a tick to the one after the next", TICK,
        rec("probe_runs", probe=0, task=[5]), TICK, rec("probe_runs", probe=1, task=[9]), TICK,
        rec("probe_runs", probe=0, task=[4]))
    put("unknown-probe-twice", "two PROBE_RUNS of a probe of later versions in a tick, and one that falls", TICK,
        *[rec("probe_runs", probe=probe, task=[5]) for probe in (30, 63, 64, 30)], TICK,
        rec("probe_runs", probe=30, task=[4]), kind="ok")
    put("counter-twice", "two SELF in a tick: the later counts", TICK, rec("self", user_us=1), rec("self", user_us=2),
        kind="ok")


def falls():
    for name, before, kind, fields in (
            ("exact", [], "exact", {"event": 1, "ns": [5]}), ("drops", [DROP], "drops", {"packets": [5]}),
            ("others", [rec("other_programs", first=1, name=["lb"], kind=["xdp"], attached=[""])], "other_stats",
             {"runs": [0], "run_ns": [0], "unseen_ns": [0], "counted_ns": 5}),
            ("programs", [rec("program", id=1)], "program_stats", {"recursion": [5]}), ("self", [], "self", {"written": 5})):
        less = {key: 4 if value == 5 else [4] if value == [5] else value for key, value in fields.items()}
        put("falls-" + name, f"{kind.upper()}, which counts since the recording began, falls",
            *before, TICK, rec(kind, **fields), TICK, rec(kind, **less))
    put("reset", "counters of the kernel that go back, and 32 bits that wrap", NETDEVS[0],
        rec("counter_names", first=1, name=["Tcp.InSegs"]), TICK, rec("counters", value=[5]),
        rec("netdev_stats", id=[1], rx_bytes=[5]), rec("softirqs", net_rx=[2 ** 32 - 1]),
        rec("irq_stats", netdev=1, interrupts=[2 ** 32 - 1]), TICK, rec("counters", value=[4]),
        rec("netdev_stats", id=[1], rx_bytes=[4]), rec("softirqs", net_rx=[0]),
        rec("irq_stats", netdev=1, interrupts=[0]), kind="ok")
    put("bits-33", "a counter of 32 bits that has more", TICK, rec("softirqs", net_rx=[2 ** 32]))
    put("energy-wrap", "an energy counter beyond where it wraps", rec("energy_zone", id=1, wrap=5), TICK,
        rec("energy", read_ns=[0], raw=[6]))
    put("zone-parent", "an energy zone that is its own parent", rec("energy_zone", id=1, parent=1))


def times():
    ranged = frame(2, first_ns=1000, last_ns=2000)
    put("range-no-last", "FRAME has first_ns, and no last_ns", second=frame(2, first_ns=1000))
    put("range-no-first", "FRAME has last_ns, and no first_ns", second=frame(2, last_ns=2000))
    put("range-falls", "FRAME's first_ns is above its last_ns", second=frame(2, first_ns=2000, last_ns=1999))
    for name, objects in {"clock": [rec("clock", mono_ns=999)], "mark": [rec("mark", at_ns=2001)],
                          "tick": [rec("tick", at_ns=999, cpu=[])], "exact-ns": [rec("tick", cpu=[0], exact_ns=[2001])],
                          "reading": [TICK, rec("self", began_ns=999, ended_ns=1500)],
                          "reading-drops": [TICK, rec("drops", packets=[], began_ns=1500, ended_ns=2001)]}.items():
        put("time-" + name, "a time outside of FRAME's range: " + name, *objects, second=ranged)
    put("time-none", "a time in a frame whose range states that it has no times", rec("mark", at_ns=5),
        second=frame(2, first_ns=0, last_ns=0))
    put("times-outside", "CONTEXT's at_ns need not be in FRAME's range, and a sample may be rounded down",
        *(rec("context", at_ns=at_ns, subject=[], name=[], value=[], why=[]) for at_ns in (999, 2001)),
        rec("samples", cpu=0, base_ns=901, unit_ns=100, step=0, dt=[0], stack=[0], task=[0]), second=ranged, kind="ok")
    vector("end-at-later", "ok", "END's at_ns need not be in FRAME's range", [
        *trace(one(1), end=False, table=False), data(frame(2, first_ns=10, last_ns=20), rec("mark", at_ns=20),
                                                     rec("end", at_ns=10 ** 9))])


def invariant():
    """Events that this version knows, and others."""
    def ticks(ns, other_ns, **loss):
        return [rec("tick", at_ns=100, cpu=[0], exact_ns=[100]), rec("exact", event=0, ns=[10]),
                rec("exact", event=30, ns=[5]), rec("exact_loss", offline_ns=[0], torn=0),
                rec("tick", at_ns=200, cpu=[0], exact_ns=[200]), rec("exact", event=0, ns=[ns]),
                rec("exact", event=30, ns=[other_ns]), rec("exact_loss", **known({"offline_ns": [0], "torn": 0, **loss}))]

    def known(fields):
        return {name: value for name, value in fields.items() if value is not None}

    def tick(at_ns, ns, other_ns, **loss):
        return [rec("tick", at_ns=at_ns, cpu=[0], exact_ns=[at_ns]), rec("exact", event=0, ns=[ns]),
                rec("exact", event=30, ns=[other_ns]), rec("exact_loss", offline_ns=[0], **loss)]

    put("sums", "events that sum to the time that passed, one of a later version among them", *ticks(60, 55), kind="ok")
    put("sums-offline", "events and offline time that sum to the time that passed", *ticks(50, 5, offline_ns=[60]), kind="ok")
    put("sums-torn", "events that do not sum to the time that passed, as they say", *ticks(60, 54, torn=1), kind="ok")
    put("sums-torn-first", "the same, and the tick is followed by one that sums with it, and is not judged",
        *ticks(60, 54, torn=1), *tick(300, 120, 90, torn=1), kind="ok")
    put("sums-torn-before", "a reading that is torn, and after it two that do not sum", *ticks(60, 54, torn=1),
        *tick(300, 120, 94, torn=1), *tick(400, 121, 94, torn=1))
    put("sums-torn-missing", "a tick without `torn` after one that is not torn: they do not sum", *ticks(60, 54, torn=None))
    put("sums-torn-missing-first", "a tick without `torn` after a torn one: the pair is not judged",
        *ticks(60, 54, torn=1), *tick(300, 120, 90), kind="ok")
    put("loss-twice", "two EXACT_LOSS in a tick: the later counts", *ticks(50, 5, offline_ns=[30]),
        rec("exact_loss", offline_ns=[60], torn=0), kind="ok")
    put("loss-twice-nil", "two EXACT_LOSS in a tick: what the later does not have is the earlier's", *ticks(50, 5, offline_ns=[60]),
        rec("exact_loss", offline_ns=[None], torn=0), rec("exact_loss", torn=0), kind="ok")
    put("loss-twice-sum", "two EXACT_LOSS in a tick that sum to the time that passed only if both count",
        *ticks(50, 5, offline_ns=[30]), rec("exact_loss", offline_ns=[30], torn=0))
    put("sums-unknown", "events that would sum to the time that passed without that of a later version", *ticks(110, 6))


def windows():
    """Probes that are detached between windows."""
    def read(at_ns, idle_ns, offline_ns, **off):
        return [rec("tick", at_ns=at_ns, cpu=[0], exact_ns=[at_ns]), rec("exact", event=0, ns=[idle_ns]),
                rec("exact_loss", offline_ns=[offline_ns], torn=0, **off)]

    def recording(last_off_ns):
        return [*read(100, 0, 0, off_ns=[0]), *read(200, 100, 0, off_ns=[0]),
                rec("tick", at_ns=250, cpu=[0], exact_ns=[None]), rec("softnet", processed=[1]),
                *read(300, 100, 100, off_ns=[100]), *read(400, 190, 110, off_ns=[last_off_ns])]

    vector("windows", "ok", "exact times in two windows: a tick without them in between; then the CPU was offline for a moment",
           trace(data(frame(1), *recording(100)), head=data(header(cpus=[0], budget_ppm=5000))))
    put("windows-gap", "two windows, and no tick in between", *read(100, 10, 0, off_ns=[0]),
        *read(900, 20, 790, off_ns=[790]), kind="ok")
    put("windows-packets", "packets are followed up to a tick, and not up to the next one", rec("tick", at_ns=100, cpu=[0], unfollowed_ns=0),
        rec("latency", hook=0, cpu=0, ns=10, bucket=[3], packets=[1]), rec("tick", at_ns=200, cpu=[0], unfollowed_ns=100), kind="ok")
    put("windows-over", "more time without probes than in no event", *recording(111))
    put("windows-sums", "a gap between two windows that does not sum", *read(100, 10, 0, off_ns=[0]),
        *read(900, 20, 700, off_ns=[700]))


def heads():
    """HEADER's map claims more pairs than it has."""
    def head(name, kind, shows, count, *fields):
        raw = b"\x92\x01" + bytes([0x80 + count]) + b"".join(bytes([key]) + pack(value) for key, value in fields)
        vector("no-" + name, kind, shows, [Piece(MAGIC), Piece(zstd(raw))])

    major, requires, tool = (1, 1), (3, ["x"]), (4, "y" * 30)
    head("requires-claims", "damaged", "requires something unknown, in a map of more keys than there are", 5,
         major, requires, tool)
    head("requires-claims-more", "damaged", "requires something unknown, in a map of more keys than there is room for", 15,
         major, requires, (4, "y"))
    head("major-missing-claims", "damaged", "HEADER without major, in a map of more keys than there are", 5, (2, 1), tool)


def make():
    for vectors in (nils, in_header, twice, falls, times, invariant, windows, heads):
        vectors()
