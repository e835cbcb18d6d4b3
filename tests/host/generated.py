# SPDX-License-Identifier: BSD-2-Clause
"""Counts what a recorder's sampler generates, in the kernel, with a BPF program of the test on the recorder's events.

generated.py count PID FILE      counts until process PID ends; prints "counting" when the count has begun
generated.py statistics          fails if the kernel counts the runs of BPF programs
generated.py judge TRACE FILE none|some|any|cut [TRACE...]
                                 checks that on each CPU the samples in the trace and the samples reported as lost are
                                 together the generated samples, and that none, some, or any number of them is lost.
                                 All traces belong to one recording. cut: the trace has no end, and at most the
                                 generated samples

A sample that was taken while counting began may be counted or not. The number of lost samples is only known at ticks.
Exit status: 0 yes, 1 no."""
import ctypes
import json
import os
import select
import struct
import sys
import time

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import SAMPLE_LOSS  # noqa: E402

SYS_BPF, SYS_PIDFD_GETFD, SYS_IOCTL = 321, 438, 16
MAP_CREATE, MAP_LOOKUP, PROG_LOAD, PROG_TEST_RUN, GET_INFO = 0, 1, 5, 10, 15
MAP_ARRAY, PROG_SOCKET_FILTER, PROG_PERF_EVENT = 2, 1, 7
SET_BPF = 0x40042408  # PERF_EVENT_IOC_SET_BPF
libc = ctypes.CDLL(None, use_errno=True)


def syscall(number, *args):
    got = libc.syscall(number, *[ctypes.c_ulong(a) if isinstance(a, int) else a for a in args])
    if got < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return got


def bpf(command, attr):
    return syscall(SYS_BPF, command, ctypes.create_string_buffer(attr, len(attr)), len(attr))


def instruction(code, dst=0, src=0, off=0, imm=0):
    return struct.pack("<BBhi", code, dst | src << 4, off, imm)


def load_program(counters):
    """Returns a program: counter[this CPU]++; then the sample is taken."""
    code = b"".join([
        instruction(0x85, imm=8),  # r0 = bpf_get_smp_processor_id()
        instruction(0x63, 10, 0, -4),  # *(u32 *)(r10 - 4) = r0
        instruction(0xbf, 2, 10), instruction(0x07, 2, imm=-4),  # r2 = r10 - 4
        instruction(0x18, 1, 1, imm=counters), instruction(0),  # r1 = the map
        instruction(0x85, imm=1),  # r0 = bpf_map_lookup_elem(r1, r2)
        instruction(0x15, 0, off=2),  # if NULL skip the next two instructions
        instruction(0xb7, 1, imm=1),
        instruction(0xdb, 0, 1),  # lock *(u64 *)r0 += r1
        instruction(0xb7, 0, imm=1), instruction(0x95),  # return 1
    ])
    code, gpl = ctypes.create_string_buffer(code, len(code)), ctypes.create_string_buffer(b"GPL")
    return bpf(PROG_LOAD, struct.pack("<IIQQIIQII", PROG_PERF_EVENT, len(code) // 8, ctypes.addressof(code),
                                      ctypes.addressof(gpl), 0, 0, 0, 0, 0))


def read_counter(counters, cpu):
    key, value = ctypes.c_uint(cpu), ctypes.c_ulong()
    bpf(MAP_LOOKUP, struct.pack("<IIQQQ", counters, 0, ctypes.addressof(key), ctypes.addressof(value), 0))
    return value.value


def link_of(pid, fd):
    """Returns None if the file was closed after it was listed; files of /proc are closed all the time."""
    try:
        return os.readlink("/proc/%d/fd/%d" % (pid, fd))
    except FileNotFoundError:
        return None


def samplers_of(pid, pidfd):
    """Events of the sampler have a count and more fields; events for task names have only a count."""
    for fd in sorted(map(int, os.listdir("/proc/%d/fd" % pid))):
        if link_of(pid, fd) == "anon_inode:[perf_event]":
            event = syscall(SYS_PIDFD_GETFD, pidfd, fd, 0)
            if len(os.read(event, 64)) > 8:
                yield event


def count(pid, path):
    pidfd = os.pidfd_open(pid)
    counters = bpf(MAP_CREATE, struct.pack("<IIIII", MAP_ARRAY, 4, 8, os.cpu_count(), 0))
    program = load_program(counters)
    begun = []
    for event in samplers_of(pid, pidfd):
        before = time.monotonic_ns()
        syscall(SYS_IOCTL, event, SET_BPF, program)
        begun.append([before, time.monotonic_ns()])
    print("counting", flush=True)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.poll()
    generated = [read_counter(counters, c) for c in range(os.cpu_count())]
    json.dump({"begun": begun, "generated": generated}, open(path, "w"))
    return 0


def samples(traces):
    """Returns the times of the samples by CPU."""
    out = {}
    for trace in traces:
        for kind, r in nct.objects(trace):
            if kind == nct.SAMPLES:
                out.setdefault(r[1], []).extend(r[nct.TIMES])
    return out


def losses_of(traces):
    """Returns the lost and throttled samples of SAMPLE_LOSS, by CPU, and the number of samples in END."""
    lost, throttled, said = [0] * os.cpu_count(), [0] * os.cpu_count(), 0
    for trace in traces:
        objects = list(nct.objects(trace))
        last = [r for kind, r in objects if kind == SAMPLE_LOSS][-1]
        lost = [a + b for a, b in zip(lost, last[2])]
        throttled = [a + b for a, b in zip(throttled, last[3])]
        said += next((r[3] for kind, r in objects if kind == nct.END), 0)
    return lost, throttled, said


def lost_around(trace, cpu, begun):
    """Returns the counts of lost samples of this CPU at the last tick before that time and at the first tick after
    it."""
    at, before, after = 0, 0, None
    for kind, r in nct.objects(trace):
        if kind == nct.TICK:
            at = r[1]
        elif kind == SAMPLE_LOSS and at < begun:
            before = r[2][cpu]
        elif kind == SAMPLE_LOSS and after is None:
            after = r[2][cpu]
    return before, before if after is None else after


def notices(lost, excess, generated):
    """Returns how many of the lost samples may be notices of the kernel instead. If a CPU takes too many samples between
    two of its ticks, which an idle CPU does not have, the kernel throttles its event. The two records that say so are
    counted as lost samples if the ring is full."""
    with open("/proc/sys/kernel/perf_event_max_sample_rate", encoding="ascii") as rate:
        most = 2 * (generated * 1000 // int(rate.read()))  # at 1000 Hz, the highest rate of ticks
    return excess if lost and excess % 2 == 0 and 0 < excess <= most else 0


def judge(trace, path, want, *more):
    """The recorder opens its events in the order of the CPUs, so the n-th event belongs to the n-th CPU."""
    traces = [trace, *more]
    told, taken, bad = json.load(open(path)), samples(traces), False
    all_lost, throttled, said = losses_of(traces)
    for cpu, ((before, after), generated) in enumerate(zip(told["begun"], told["generated"])):
        times, lost = taken.get(cpu, []), all_lost[cpu]
        least, most = (sum(t > begun for t in times) for begun in (after + 1000, before - 1000))  # times have a resolution of 1 us
        early, late = lost_around(trace, cpu, before)[0], lost_around(trace, cpu, after)[1]
        print("CPU %d: generated %d, written %d (or %d), lost %d (%d to %d of these before), throttled %d" %
              (cpu, generated, least, most, lost, early, late, throttled[cpu]))
        bad |= least + lost - late > generated + notices(lost, least + lost - late - generated, generated) or (want == "none" and lost)
        bad |= want != "cut" and (not least or generated > most + lost - early)
    if want == "some":
        bad |= not sum(all_lost)
    every = sum(map(len, taken.values()))
    print("the trace has %d samples, END says %d, and %d are lost" % (every, said, sum(all_lost)))
    bad |= (0 if want == "cut" else every) != said
    return int(bad)


def statistics():
    """Runs a program by itself, and has the kernel say how often that was counted."""
    code, data = (ctypes.create_string_buffer(b) for b in (instruction(0xb7) + instruction(0x95), bytes(63)))
    program = bpf(PROG_LOAD, struct.pack("<IIQQIIQII", PROG_SOCKET_FILTER, 2, ctypes.addressof(code), ctypes.addressof(data),
                                         0, 0, 0, 0, 0))
    bpf(PROG_TEST_RUN, struct.pack("<IIIIQQII", program, 0, 64, 0, ctypes.addressof(data), 0, 100, 0))
    info = ctypes.create_string_buffer(224)
    bpf(GET_INFO, struct.pack("<IIQ", program, len(info), ctypes.addressof(info)))
    print("%d runs were counted" % struct.unpack_from("<Q", info, 200))
    return struct.unpack_from("<Q", info, 200)[0] > 0


def main(what, *args):
    if what == "statistics":
        return statistics()
    return count(int(args[0]), args[1]) if what == "count" else judge(*args)


sys.exit(main(*sys.argv[1:]))
