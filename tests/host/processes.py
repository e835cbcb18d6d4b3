# SPDX-License-Identifier: BSD-2-Clause
"""Checks counters by process (--processes) against the CPUs' own counters and the kernel's counters. Each check prints one line,
"ok" or the error; status 1: wrong.

    load KIND SECONDS       runs a load of KIND spin, network, storm, faults or users. Prints the load's pid; the CPU time, ns, that
                            the kernel reports for the load and its children; the time that the hypervisor took from the CPUs
                            during the load; the number of children per second; and the pid of the last child
    sums TRACE [exactly]    the rows gain what the CPUs' counters gain, within 0.1 %
    used TRACE LOAD         all CPU time of the load and its children was counted; LOAD is a file with the output of `load`
    rate LOAD               the load had 2000 children per second, or up to 5 % less. Prints the number; status 3 if it is smaller
    pmu TRACE PID           with NETCOST_PMU=software, PID is `load faults`
    windows TRACE           with --budget, the rows sum to the CPUs' counters
    users TRACE LOAD        with `load users`, whose child used NS: each half belongs to another user
    waited TRACE RAN        prints result lines for tests/host/waits; RAN is the output of `each` for the names KIND:NAME
    each N FILE             runs the commands of FILE, one per line: NAME COMMAND ARGUMENT...; N at a time. Prints a line for each:
                            NAME PID CPU_NS STOLEN_NS, and its own output"""
import collections
import mmap
import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, "tests")


FAULTS = 20000
USERS = (47114, 47115)  # users that no host has
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")


def stolen_ns():
    """Returns the CPU time of all CPUs that the hypervisor took. With CONFIG_PARAVIRT_TIME_ACCOUNTING the kernel
    subtracts it from the time of tasks, but not of CPUs."""
    with open("/proc/stat") as f:
        return int(f.readline().split()[8]) * TICK_NS


def reap(pid):
    """Returns the CPU time of the process and of the children that it waited for, as the kernel sums it up when the
    process ends."""
    usage = os.wait4(pid, 0)[2]
    return round((usage.ru_utime + usage.ru_stime) * 1e9)


def load(kind, seconds):
    """Runs a load in a process of its own, because the CPU time of a process is known only when it has ended. Its
    children inherit its name."""
    stolen = stolen_ns()
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        with open("/proc/self/comm", "w") as f:
            f.write("nct-%d" % os.getpid())
        os.write(writer, b"%d %d %d" % work(kind, seconds))
        os._exit(0)
    ns = reap(pid)
    children_ns, children, child = map(int, os.read(reader, 100).split())
    print(pid, ns - children_ns, children_ns, stolen_ns() - stolen, round(children / seconds), child)


def spin(seconds):
    """Uses this much CPU time, however long that takes. It sleeps after each slice of 4 ms, also where nobody else needs the CPU: an
    unseen context switch hides at most one slice, and the new user of a process is seen when the process is switched out."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        part = time.process_time() + UNSEEN_NS / 1e9
        while time.process_time() < part:
            pass
        time.sleep(0.0005)


def other_users(seconds):
    """Runs a child that starts as one user and becomes another user."""
    os.setresuid(USERS[0], 0, 0)
    pid = os.fork()
    if not pid:
        spin(seconds / 2)
        os.setresuid(*3 * USERS[1:])
        spin(seconds / 2)
        os._exit(0)
    return reap(pid), 1, pid


def work(kind, seconds):
    """Runs a load. Returns the CPU time of its children, their number, and the pid of the last child."""
    if kind == "users":
        return other_users(seconds)
    end = time.monotonic() + seconds
    if kind == "spin":
        spin(seconds)
    if kind == "network":
        a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        b.bind(("127.0.0.1", 0))
        while time.process_time() < seconds:
            for _ in range(100):
                a.sendto(bytes(1000), b.getsockname())
                b.recv(2000)
            time.sleep(0.0005)
    if kind == "faults":
        pages = mmap.mmap(-1, FAULTS * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        pages.madvise(mmap.MADV_NOHUGEPAGE)
        for i in range(FAULTS):
            pages[i * 4096] = 1
        while time.monotonic() < end:
            time.sleep(0.001)
    n = children_ns = pid = 0
    if kind == "storm":
        # Runs on one CPU: when a task is placed on another CPU, the kernel starts to count its time before that CPU
        # switches to it (wakeup_preempt() has __schedule() not read the clock again, rq_clock_skip_update()). This was
        # 6 us of 400 a child, and 25 us if that CPU was idle: time in which no task ran.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        began, ended = time.monotonic(), []
        while n < 2000 * seconds:
            time.sleep(max(0, began + n / 2000 - time.monotonic()))
            pid = os.fork()
            if not pid:
                os._exit(0)
            ended.append(pid)
            n += 1
            if len(ended) > 50:
                children_ns += reap(ended.pop(0))
        children_ns += sum(map(reap, ended))
    return children_ns, n, pid


EDGES_NS = 200000  # CPUs and rows are not read at the same moment
TIMES = range(3, 13)  # keys of PROCESS_STATS
UNSEEN_NS = 4000000  # one slice of spin()
SWITCH_NS = 20000


class Trace:
    def __init__(self, path):
        import nct
        self.defined, self.rows, self.exact = [None], {}, nct.Exact(path)
        self.by_tick = []  # {key: sum of all rows so far}
        for kind, r in nct.objects(path):
            if kind == nct.TICK:
                self.by_tick.append(dict(self.by_tick[-1]) if self.by_tick else {})
            elif kind == nct.PROCESSES:
                self.defined += zip(r[2], r[3], r[4], r[6], r[7])
            elif kind == nct.PROCESS_STATS:
                for i, process in enumerate(r[1]):
                    row = self.rows.setdefault(process, {})
                    for key in range(2, 36):
                        row[key] = row.get(key, 0) + (r[key][i] or 0 if key in r else 0)
                for key in range(2, 36):
                    self.by_tick[-1][key] = self.by_tick[-1].get(key, 0) + sum(n or 0 for n in r.get(key, ()))
        self.events = {name: number for number, name in enumerate(nct.EVENTS)}

    def sum(self, key, of=lambda process: True):
        return sum(row[key] for process, row in self.rows.items() if of(process))

    def moved(self, event, key):
        first, last = self.exact.first[self.events[event]][key], self.exact.last[self.events[event]][key]
        return None if None in first + last else sum(last) - sum(first)

    def of(self, pid):
        return lambda process: process and self.defined[process][0] == pid


# (key of PROCESS_STATS, event, key of EXACT)
COUNTS = [(13, "sock_send", 3), (14, "sock_recv", 3), (15, "sock_local", 3), (16, "sock_send", 4), (17, "sock_recv", 4),
          (18, "sock_local", 4), (19, "sock_send", 5), (20, "sock_recv", 5), (21, "sock_local", 5)]


NAMES = ["task", "io_worker", "sock_send", "sock_recv", "sock_local", "rx_softirq", "tx_softirq", "rx_thread", "rx_busy_poll",
         "hardirq_net"]


def drift(t, key, event, of):
    """Returns how much more, or less, the rows gained than the counters of the CPUs. The rows of a tick are read after
    its counters and before those of the next tick. So their difference to the first is not negative, and to the second
    not positive, whatever runs at the same time. The result is 0 if one constant difference fits all ticks."""
    counted = [sum(tick[t.events[event]][of]) for tick in t.exact.rows]
    rows = [r.get(key, 0) for r in t.by_tick]
    most = [r - c for r, c in zip(rows, counted)]
    least = [r - c for r, c in zip(rows, counted[1:])]
    apart = max(least) - min(most)
    if apart <= 0:
        return 0
    return apart if least.index(max(least)) > most.index(min(most)) else -apart


def sums(t):
    wrong = []
    for key, event, of in [(key, name, 2) for key, name in zip(TIMES, NAMES)] + COUNTS:
        moved = t.moved(event, of)
        if moved is None:
            continue
        more = drift(t, key, event, of)
        print("%s, key %d: %d in rows, %d counted: %+d" % (event, of, t.sum(key), moved, more), file=sys.stderr)
        if more:
            wrong.append("%s, key %d: expected %d in rows, got %+d" % (event, of, moved, more))
    return "; ".join(wrong) or "ok"


def read_load(path):
    with open(path) as f:
        return map(int, f.read().split())


def rate(path):
    children = [*read_load(path)][4]
    print("%d children a second" % children)
    return 0 if children >= 1900 else 3


def used(t, path):
    pid, ns, children_ns, stolen_ns, *_ = read_load(path)
    name = "nct-%d" % pid
    for what, of, used_ns in (("itself", t.of(pid), ns),
                              ("children", lambda p: p and t.defined[p][0] != pid and t.defined[p][1] == name, children_ns)):
        got = sum(t.sum(key, of) for key in TIMES)
        # The number of unreported context switches is known; the time that they hide is in the row of another process.
        # The kernel reads its clock before the tracepoint of a context switch.
        edges = used_ns / 100 + 2e6 + UNSEEN_NS * t.sum(25) + SWITCH_NS * t.sum(2, of)
        print("%s: %d ns in rows, %d used (%+d), %d stolen, %d switches, %d unseen" %
              (what, got, used_ns, got - used_ns, stolen_ns, t.sum(2, of), t.sum(25)), file=sys.stderr)
        if not -edges <= got - used_ns <= edges + stolen_ns:
            return "%s: expected %d ns, got %d ns, %d stolen" % (what, used_ns, got, stolen_ns)
    return "ok"


def windows(t):
    """With windows, rows belong to the ticks of a window: only events between these ticks are compared."""
    busy = {key: t.sum(key) for key in TIMES}
    counted = sum(t.moved(name, 2) or 0 for name in ("task", "sock_send", "sock_recv", "sock_local", "rx_softirq"))
    if not 0 < sum(busy.values()) < counted * 1.01 + 50 * EDGES_NS or sum(busy.values()) < 0.9 * counted - 50 * EDGES_NS:
        return "%d ns in rows, %d counted" % (sum(busy.values()), counted)
    return "ok"


def pmu(t, pid):
    """Checks the software counters that replace hardware counters: cpu-clock for cycles, task-clock for ref-cycles,
    page-faults for instructions, and context-switches for misses."""
    hits, clock, task_clock, faults, switched, enabled, *ran = (t.sum(key, t.of(pid)) for key in range(26, 36))
    on_cpu, switches = sum(t.sum(key, t.of(pid)) for key in TIMES), t.sum(2, t.of(pid))
    print("%d ns on CPU, clocks %d and %d, enabled %d, ran %s; %d faults; %d switches, %d counted" %
          (on_cpu, clock, task_clock, enabled, ran, faults, switches, switched), file=sys.stderr)
    for what, ns in (("cpu-clock", clock), ("task-clock", task_clock), ("enabled", enabled), *(("ran", ns) for ns in ran)):
        if abs(ns - on_cpu) > on_cpu / 50 + 2e6 + SWITCH_NS * switches:
            return "%s: %d ns, %d on CPU" % (what, ns, on_cpu)
    if not FAULTS <= faults <= FAULTS + 5000:
        return "%d page faults, not %d" % (faults, FAULTS)
    if abs(switched - switches) > switches / 20 + 5:
        return "%d switches, %d by the counter" % (switches, switched)
    return "ok"


def users(t, path):
    """Checks the times of users. Each tick of a process is charged to one of the users that the process had during
    the tick, so each user may lack at most one tick."""
    _, _, ns, stolen_ns, _, child = read_load(path)
    times = [tick[1] for tick in t.exact.ticks]
    tick_ns = max(b - a for a, b in zip(times, times[1:]))
    got = [sum(t.sum(key, lambda p: t.of(child)(p) and t.defined[p][4] == user) for key in TIMES) for user in USERS]
    edges = ns / 100 + 5e6 + UNSEEN_NS * t.sum(25)
    print("%s ns of users %s, %d used, ticks of up to %d ns" % (got, USERS, ns, tick_ns), file=sys.stderr)
    if not -edges <= sum(got) - ns <= edges + stolen_ns:
        return "expected %d ns of both users, got %s" % (ns, got)
    if min(got) < ns / 2 - tick_ns - edges:
        return "expected %d ns of each user, got %s" % (ns / 2, got)
    if any(user for _, _, _, kernel, user in t.defined[1:] if kernel):
        return "expected kernel threads to be root's"
    return "ok"


def waited(t, path):
    """For tests/host/waits: the process made the number of calls that it printed, and they took no more than its
    on-CPU time.
    It finds the process by its name, which its children share. Calls that EXACT_LOSS counts as missed, or that an
    unseen context switch hides, may be missing."""
    # A context switch that was not seen is reported; it charges the time before it to the row of another process.
    wrong, missed = False, sum(t.exact.loss.get(1, [])) + t.sum(25)
    for ran in read_ran(path):
        name, comm = ran.name.split(":")
        calls, ns = ([t.sum(key, lambda p: p and t.defined[p][1] == comm) for key in keys] for keys in ((13, 14), (5, 6)))
        bounds = [tuple(map(int, bound.split("-"))) for bound in ran.output]
        for what, got, (least, most) in zip(("sends", "receives"), calls, bounds):
            good = least - missed <= got <= most + t.sum(25)
            wrong |= not good
            print("ok %s-%s" % (name, what) if good else "not ok %s-%s: expected %d to %d, got %d" % (name, what, least, most, got))
        good = sum(ns) <= ran.most_ns(t)
        wrong |= not good
        print("ok %s-waiting-costs-nothing" % name if good else
              "not ok %s-waiting-costs-nothing: expected at most %d ns, got %s ns" % (name, ran.most_ns(t), ns))
    return wrong


class Ran(collections.namedtuple("Ran", "name pid cpu_ns stolen_ns output")):
    """A process that the command `each` ran, with the children that it waited for."""

    def most_ns(self, t):
        """Returns the largest time that the recorder may report: the time of a CPU includes time of the hypervisor
        (known to a tick at each end) and time that an unreported context switch hid."""
        return self.cpu_ns + self.stolen_ns + 2 * TICK_NS + UNSEEN_NS * t.sum(25)


def read_ran(path):
    for line in open(path):
        name, pid, cpu_ns, stolen, *output = line.split()
        yield Ran(name, int(pid), int(cpu_ns), int(stolen), output)


def each(at_a_time, path):
    lines, running, failed = [line.split() for line in open(path)], {}, False
    while lines or running:
        while lines and len(running) < at_a_time:
            name, *command = lines.pop(0)
            child = subprocess.Popen(command, stdout=subprocess.PIPE)
            running[child.pid] = name, child, stolen_ns()
        pid, status, usage = os.wait4(-1, 0)
        name, child, stolen = running.pop(pid)
        failed |= bool(status)
        print(name, pid, round((usage.ru_utime + usage.ru_stime) * 1e9), stolen_ns() - stolen, child.stdout.read().decode().strip())
        child.returncode = status
    return failed


def main(command, *arg):
    if command == "load":
        load(arg[0], float(arg[1]))
        return 0
    if command == "rate":
        return rate(arg[0])
    if command == "each":
        return each(int(arg[0]), arg[1])
    t = Trace(arg[0])
    if command == "waited":
        return waited(t, arg[1])
    said = {"sums": lambda: sums(t), "used": lambda: used(t, arg[1]),
            "pmu": lambda: pmu(t, int(arg[1])), "windows": lambda: windows(t),
            "users": lambda: users(t, arg[1])}[command]()
    print(said)
    return said != "ok"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
