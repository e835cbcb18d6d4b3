# SPDX-License-Identifier: BSD-2-Clause
"""What was counted by process (--processes), against the CPUs' own counters and against what the kernel says.

    processes.py load KIND SECONDS      spin, network, storm, faults, users: runs it, and prints its pid and, in ns, what the
                                        kernel says that it used, by schedstat: itself, and its children; what the hypervisor
                                        took of the CPUs meanwhile; what it and its children used by /proc/PID/stat; and how
                                        many children it had a second
    processes.py sums TRACE             one line, "ok" or what else; status 1 if it is wrong: each leaf's rows sum to it within
                                        0.1 %, and so does what the network took, and all that was not idle
    processes.py used TRACE LOAD        likewise: all that it used was counted, and all of its children; by both files; LOAD is
                                        a file with what `load` printed
    processes.py rate LOAD              it had 2000 children a second, or 5 % less; prints how many; status 3 if it had less
    processes.py pmu TRACE PID          likewise: with NETCOST_PMU=software, PID is `load faults`
    processes.py windows TRACE          likewise: with --budget, the rows sum to what the CPUs' counters have
    processes.py users TRACE LOAD       likewise: with `load users`, whose child used NS: in each half as another user
    processes.py three TRACE MADE       likewise: of each line "KIND-SOCKETS PID" of MADE, 1000 sends and 1000 receives of 100 bytes
                                        each are in the row of PID"""
import mmap
import os
import socket
import sys
import time

sys.path.insert(0, "tests")


NAME = "nct-processes"
FAULTS = 20000
USERS = (47114, 47115)  # that no host has


def used_by(pid):
    with open(f"/proc/{pid}/schedstat") as f:
        return int(f.read().split()[0])


TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")


def stat_ns(pid):
    """It, and its children that it waited for."""
    with open(f"/proc/{pid}/stat") as f:
        user, system, children_user, children_system = map(int, f.read().rsplit(")", 1)[1].split()[11:15])
    return (user + system) * TICK_NS, (children_user + children_system) * TICK_NS


def stolen_ns():
    """Of all CPUs. The kernel takes it out of what a task used (CONFIG_PARAVIRT_TIME_ACCOUNTING): the CPU's time has it."""
    with open("/proc/stat") as f:
        return int(f.readline().split()[8]) * TICK_NS


def reap(pid):
    used = used_by(pid)
    os.waitpid(pid, 0)
    return used


def load(kind, seconds):
    """In a process of its own: what it used is known when it has ended."""
    stolen = stolen_ns()
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        with open("/proc/self/comm", "w") as f:
            f.write(NAME)
        os.write(writer, b"%d %d" % work(kind, seconds))
        os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    time.sleep(0.01)  # it may still be on its CPU
    children_ns, children = map(int, os.read(reader, 100).split())
    print(pid, used_by(pid), children_ns, stolen_ns() - stolen, *stat_ns(pid), round(children / seconds))


def spin(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def other_users(seconds):
    """A child that is born as one of them, and becomes the other one."""
    os.setresuid(USERS[0], 0, 0)
    pid = os.fork()
    if not pid:
        spin(seconds / 2)
        os.setresuid(*3 * USERS[1:])
        spin(seconds / 2)
        os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    time.sleep(0.01)
    return reap(pid)


def work(kind, seconds):
    """Returns what its own children used, and how many they were."""
    if kind == "users":
        return other_users(seconds), 1
    end = time.monotonic() + seconds
    if kind == "network":
        a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        b.bind(("127.0.0.1", 0))
        while time.monotonic() < end:
            for _ in range(100):
                a.sendto(bytes(1000), b.getsockname())
                b.recv(2000)
    if kind == "faults":
        pages = mmap.mmap(-1, FAULTS * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        pages.madvise(mmap.MADV_NOHUGEPAGE)
        for i in range(FAULTS):
            pages[i * 4096] = 1
        while time.monotonic() < end:
            time.sleep(0.001)
    if kind == "storm":
        # On one CPU: where a task is put on another one, the kernel's time of it begins then, before that CPU has come to it
        # (wakeup_preempt() has __schedule() not read the clock again, rq_clock_skip_update()). That was 6 us of 400 a child,
        # and 25 us where that CPU had been idle: time that no task had.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    began, n, children, ended = time.monotonic(), 0, 0, []
    while time.monotonic() < end:
        if kind != "storm":
            continue
        time.sleep(max(0, began + n / 2000 - time.monotonic()))
        pid = os.fork()
        if not pid:
            os._exit(0)
        ended.append(pid)
        n += 1
        if len(ended) > 50:  # one that has ended may still be about to leave its CPU
            children += reap(ended.pop(0))
    time.sleep(0.05)
    children += sum(map(reap, ended))
    return children, n


EDGES_NS = 200000  # the CPUs and the rows are not read at one moment
TIMES = range(3, 13)  # keys of PROCESS_STATS
UNSEEN_NS = 4000000  # a slice of a task


class Trace:
    def __init__(self, path):
        import nct
        self.defined, self.rows, self.exact = [None], {}, nct.Exact(path)
        for kind, r in nct.objects(path):
            if kind == nct.PROCESSES:
                self.defined += zip(r[2], r[3], r[4], r[6], r[7])
            elif kind == nct.PROCESS_STATS:
                for i, process in enumerate(r[1]):
                    row = self.rows.setdefault(process, {})
                    for key in range(2, 36):
                        row[key] = row.get(key, 0) + (r[key][i] or 0 if key in r else 0)
        self.events = {name: number for number, name in enumerate(nct.EVENTS)}

    def sum(self, key, of=lambda process: True):
        return sum(row[key] for process, row in self.rows.items() if of(process))

    def moved(self, event, key):
        first, last = self.exact.first[self.events[event]][key], self.exact.last[self.events[event]][key]
        return None if None in first + last else sum(last) - sum(first)

    def of(self, pid):
        return lambda process: process and self.defined[process][0] == pid


# Key of PROCESS_STATS, event, key of EXACT
COUNTS = [(13, "sock_send", 3), (14, "sock_recv", 3), (15, "sock_local", 3), (16, "sock_send", 4), (17, "sock_recv", 4),
          (18, "sock_local", 4), (19, "sock_send", 5), (20, "sock_recv", 5), (21, "sock_local", 5)]


def sums(t):
    names = ["task", "io_worker", "sock_send", "sock_recv", "sock_local", "rx_softirq", "tx_softirq", "rx_thread",
             "rx_busy_poll", "hardirq_net"]
    moved = {key: t.moved(name, 2) for key, name in zip(TIMES, names)}
    there = [key for key in TIMES if moved[key] is not None]
    leaves = [(names[key - TIMES[0]], [key], EDGES_NS) for key in there]
    leaves += [("the network", [key for key in there if names[key - TIMES[0]] not in ("task", "io_worker")], EDGES_NS),
               ("all", there, 0)]
    for name, keys, edges in leaves:
        rows, counted = sum(map(t.sum, keys)), sum(moved[key] for key in keys)
        print("%s: %d ns in rows, %d ns counted: %+d" % (name, rows, counted, rows - counted), file=sys.stderr)
        if abs(rows - counted) > counted / 1000 + edges:
            return "%s: %d ns in rows, %d ns counted" % (name, rows, counted)
    for key, event, of in COUNTS:
        if t.moved(event, of) is not None and abs(t.sum(key) - t.moved(event, of)) > t.moved(event, of) / 1000:
            return "%s: %d in rows, %d counted" % (event, t.sum(key), t.moved(event, of))
    return "ok"


def read_load(path):
    with open(path) as f:
        return map(int, f.read().split())


def rate(path):
    children = [*read_load(path)][6]
    print("%d children a second" % children)
    return 0 if children >= 1900 else 3


def used(t, path):
    pid, ns, children_ns, stolen_ns, stat_ns, stat_children_ns, _ = read_load(path)
    said = used_of(t, pid, ns, children_ns, stolen_ns, 2e6)
    if said != "ok":
        return "by schedstat: " + said
    said = used_of(t, pid, stat_ns, stat_children_ns, stolen_ns, 2 * TICK_NS)
    return said if said == "ok" else "by /proc/PID/stat: " + said


def used_of(t, pid, ns, children_ns, stolen_ns, edges_ns):
    got = sum(t.sum(key, t.of(pid)) for key in TIMES)
    rest = sum(t.sum(key, lambda p: p and t.defined[p][0] != pid and t.defined[p][1] == NAME) for key in TIMES)
    # Switches that the programs do not see are told, and what they hide is another process's.
    hidden = UNSEEN_NS * t.sum(25)
    if abs(got - ns - stolen_ns / 2) > ns / 100 + edges_ns + stolen_ns / 2 + hidden:
        return "%d ns counted, %d ns used (%+.2f %%), %d ns stolen" % (got, ns, 100 * (got - ns) / ns, stolen_ns)
    if abs(rest - children_ns - stolen_ns / 2) > children_ns / 100 + edges_ns + stolen_ns / 2 + hidden:
        return "children: %d ns counted, %d ns used (%+.2f %%)" % (rest, children_ns, 100 * (rest - children_ns) / children_ns)
    print("%d and %d ns counted, %d and %d used, %d stolen; %d switches not seen" %
          (got, rest, ns, children_ns, stolen_ns, t.sum(25)), file=sys.stderr)
    return "ok"


def windows(t):
    """Rows of a window are those of its ticks: only what a CPU did between them is compared."""
    busy = {key: t.sum(key) for key in TIMES}
    counted = sum(t.moved(name, 2) or 0 for name in ("task", "sock_send", "sock_recv", "sock_local", "rx_softirq"))
    if not 0 < sum(busy.values()) < counted * 1.01 + 50 * EDGES_NS or sum(busy.values()) < 0.9 * counted - 50 * EDGES_NS:
        return "%d ns in rows, %d counted" % (sum(busy.values()), counted)
    return "ok"


def pmu(t, pid):
    """cpu-clock, task-clock, page-faults and context-switches in the place of cycles, ref-cycles, instructions, misses."""
    hits, clock, task_clock, faults, switched, enabled, *ran = (t.sum(key, t.of(pid)) for key in range(26, 36))
    on_cpu, switches = sum(t.sum(key, t.of(pid)) for key in TIMES), t.sum(2, t.of(pid))
    print("%d ns on CPU, clocks %d and %d, enabled %d, ran %s; %d faults; %d switches, %d counted" %
          (on_cpu, clock, task_clock, enabled, ran, faults, switches, switched), file=sys.stderr)
    for what, ns in (("cpu-clock", clock), ("task-clock", task_clock), ("enabled", enabled), *(("ran", ns) for ns in ran)):
        if abs(ns - on_cpu) > on_cpu / 50 + 2e6:
            return "%s: %d ns, %d on CPU" % (what, ns, on_cpu)
    if not FAULTS <= faults <= FAULTS + 5000:
        return "%d page faults, not %d" % (faults, FAULTS)
    if abs(switched - switches) > switches / 20 + 5:
        return "%d switches, %d by the counter" % (switches, switched)
    return "ok"


def users(t, path):
    _, _, ns, stolen_ns, *_ = read_load(path)
    def on_cpu(of):
        return sum(t.sum(key, lambda p: p and of(*t.defined[p])) for key in TIMES)
    got = [on_cpu(lambda pid, name, start, kernel, user, u=u: user == u) for u in USERS]
    unknown = on_cpu(lambda pid, name, start, kernel, user: pid and user is None)
    print("%s ns of users %s, %d used, %d of nobody" % (got, USERS, ns, unknown), file=sys.stderr)
    if abs(sum(got) - ns - stolen_ns / 2) > ns / 100 + 5e6 + stolen_ns / 2 + UNSEEN_NS * t.sum(25):
        return "%d ns of both users, %d used" % (sum(got), ns)
    # A tick's time is that of one of them.
    if min(got) < ns / 2 - 0.55e9:
        return "%s ns of users %s" % (got, USERS)
    if any(user for pid, _, _, kernel, user in t.defined[1:] if kernel):
        return "threads of the kernel that are not root's"
    return "ok" if unknown < 0.01 * t.sum(3) else "%d ns of processes whose user is not known" % unknown


def three(t, made):
    """All rows; which are wrong. A call may lack whose end was missed, as after a switch inside it that went unseen: if that
    is told."""
    calls, others, wrong, lacking, n = (13, 14), (16, 17, 19, 20), [], 0, 0
    told = sum(t.exact.loss.get(1, []))
    for line in open(made):
        name, pid = line.split()
        lacks, rest = ([t.sum(key, t.of(int(pid))) for key in keys] for keys in (calls, others))
        lacks = [1000 - got for got in lacks]
        n += 1
        lacking += sum(lacks)
        if rest != [0, 0, 100000, 100000] or min(lacks) < 0 or sum(lacks) > told:
            wrong.append("%s: lacks %s calls, %s" % (name, lacks, rest))
    print("%d processes, %d with other calls or bytes than they made; %d calls lack, %d are told to" %
          (n, len(wrong), lacking, told), file=sys.stderr)
    if lacking > told:
        wrong.append("%d calls lack, %d are told to" % (lacking, told))
    return "; ".join(wrong) or ("ok" if n >= 3 * 16 else "only %d" % n)


def main(command, *arg):
    if command == "load":
        load(arg[0], float(arg[1]))
        return 0
    if command == "rate":
        return rate(arg[0])
    t = Trace(arg[0])
    said = {"sums": lambda: sums(t), "used": lambda: used(t, arg[1]),
            "pmu": lambda: pmu(t, int(arg[1])), "windows": lambda: windows(t),
            "users": lambda: users(t, arg[1]), "three": lambda: three(t, arg[1])}[command]()
    print(said)
    return said != "ok"


sys.exit(main(*sys.argv[1:]))
