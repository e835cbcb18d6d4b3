#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""seeds.py DIR: makes seeds of the fuzzers, DIR/file and DIR/payload, in addition to
tests/fuzz/corpus.tar.zst. They are made from the conformance vectors, which cover the whole
format. One more seed has records of every kind, and names that must not be in a scrubbed
trace. input.h describes payloads."""
import os
import re
import shutil
import subprocess
import sys

import msgpack

VECTORS = "format/vectors"
MOST, MOST_CONTENT = 4096, 65536  # bytes; small inputs are tried more often
HEADER, FRAME, END = 1, 2, 127
OPTIONS = bytes(8)
MISSING, SAYS, PART = 7, 8, 16


def frame_begin(seq, before, record):
    """Returns 0xc1 and the byte that describes the next frame, for a FRAME."""
    flags = min(max(seq - before - 1, 0), MISSING)
    first, last, lost = record.get(2) or 0, record.get(3) or 0, record.get(4) or [0, 0]
    says = [first >> 8, last + 255 >> 8, *(lost + [0, 0])[:2]]
    if not last or max(says) > 255:
        return bytes([0xc1, flags])
    return bytes([0xc1, flags | SAYS, *says])


def payload(content):
    """Returns the content of a whole trace as a payload, or None if it is not a trace."""
    unpacker = msgpack.Unpacker(strict_map_key=False, unicode_errors="replace", max_buffer_size=0)
    unpacker.feed(content)
    out, at, seq, part = OPTIONS, 0, 0, b""
    for kind, record in unpacker:
        begin, at = at, unpacker.tell()
        if kind == HEADER:
            part = bytes([PART]) if begin else b""
            seq = 0
        elif kind == FRAME:
            head = frame_begin(record.get(1) or 0, seq, record)
            if part:
                head = bytes([0xc1, head[1] | PART]) + head[2:]
            out += head if seq or part or head[1] else b""
            seq, part = record.get(1) or 0, b""
        else:
            out += content[begin:at]
    return out


def pack(*objects):
    return b"".join(msgpack.packb([kind, record]) for kind, record in objects)


def rich_frame(i):
    """Returns definitions of every kind, counters and samples, at about i * 1024 ns."""
    at, first = 1024 * i, 2 * i - 1
    return pack(
        (6, {1: i, 2: "module"}),
        (7, {1: first, 2: ["caller", "bpf_prog_0123456789abcdef_SECRET"], 3: [i, 0], 4: [-5, 5]}),
        (8, {1: first, 2: [1 if i == 1 else 2, 1], 3: [first, first + 1]}),
        (9, {1: i, 2: [100 + i], 3: [100], 4: ["SECRET"]}),
        (17, {1: i, 2: "SECRET0", 3: 1}),
        (19, {1: i, 2: "package-0", 3: i - 1, 4: 1000, 5: 1000}),
        (3, {1: at + 1, 2: 10 ** 18 + at, 3: at, 4: 5}),
        (4, {1: "exact", 2: "refused", 3: "#26 /mnt/SECRET #92", 4: "SECRET: Permission denied"}),
        (4, {1: "cgroups", 2: "measured", 3: "#144 /sys/fs/cgroup", 4: "#31 /SECRET #105 13 #99999 SECRET 7 #39 SECRET #41"}),
        (5, {1: 0, 2: 3, 3: "tracepoint", 4: ["sock_send_length"], 6: ["#142 fentry #147 a%20SECRET", "#142 kprobe #101 1"]}),
        (11, {1: at + 2, 2: [0, 1], 3: [at + 3, at + 4]}),
        (12, {1: 1, 2: [10 * i, None], 3: [i, i], 4: [0, 0], 5: [i, i]}),
        (13, {1: [i, i], 2: [0, i], 6: i}),
        (14, {1: [4 * i, 0], 2: [i, 0], 3: [0, 0]}),
        (15, {key: [i, i] for key in range(1, 11)}),
        (16, {1: [2 ** 32 - 3 + i & 2 ** 32 - 1, i], 2: [0, 0], 3: [0, 0]}),
        (18, {1: list(range(1, i + 1)), 3: [i] * i}),
        (20, {1: [at + 5] * i, 2: ([900, 5, 6, 7] * i)[:i]}),
        (21, {1: i, 2: i, 3: i, 4: 100 * i}),
        (10, {1: 0, 2: at, 3: 1, 4: 10, 5: [-1, 0, 1, 0], 6: [0, 1, first, first + 1], 7: [0, 1, i, i]}),
        (22, {1: at + 60, 2: "mark"}),
        (22, {1: at + 61, 2: "SECRET"}),
        *by_process(i),
        *latencies(i),
        *explaining(i, at))


def by_process(i):
    """Returns processes and cgroups with their counters, and the dispositions of received packets."""
    first = 2 * i - 1
    ids, fates = [0, first, first + 1], list(range(8))
    return (
        (27, {1: i, 2: ["/SECRET/docker-" + 64 * "a" + ".scope"]}),
        (46, {1: first, 2: [0 if i == 2 else 100 + i, 200], 3: ["SECRET", "nginx"], 4: [None, 1024], 5: [i, 1], 6: [0, 1]}),
        (47, {1: ids, **{key: [0, 256 * i + key, None if key == 20 else key] for key in range(2, 36)}}),
        (48, {1: ids, 2: [5, 400 * i, 100], 3: [1, 4, 1], 4: [1, 200, 50]}),
        (49, {1: fates, 2: [fate % 2 for fate in fates], 3: [100 * (i - fate) for fate in fates], 4: fates, 5: fates,
              6: ["NO_SOCKET" if fate == 1 else "" for fate in fates], 7: ["SECRET0" if fate == 2 else "" for fate in fates],
              8: i}))


def latencies(i):
    """Returns packet latency: four checkpoints, of which one is not measured and one is unknown
    to this version."""
    return (
        *((5, {1: 2, 2: hook, 3: method, 4: ["tcp_probe"], 5: why})
          for hook, method, why in ((0, "tracepoint", ""), (1, "off", "#145 /SECRET 13"), (7, "fentry", "SECRET"), (99, "x", ""))),
        (55, {1: 7, 2: 1, 3: 10 ** i, 4: i, 5: 10 ** i, 6: [0, 64 * i, 1087], 7: [i, 10 ** i, 1], 8: i, 9: 1, 10: 2, 11: 3}),
        (55, {1: 0, 2: 0, 6: [], 7: [], 8: i}),
        (55, {1: 99, 2: 0, 6: [1088], 7: [i]}))


def explaining(i, at):
    """Returns records that explain a cost: settings, the recorder's overhead, protocol counters,
    drops, interrupts."""
    return (
        (37, {1: [99, 99, 22], 2: [0, 1, 9], 3: ["gauge", "level", "more"], 4: ["", "UINTS", "STR"], 5: ["", "ns", ""],
              6: ["", "per CPU", ""]}),
        (99, {1: [i, None]}),
        (30, {1: at, 2: ["net.core", "interface SECRET0", "interface SECRET0 rx-0", "kernel"],
              3: ["rmem_max", "qdisc", "rps_cpus", "preemption"], 4: [f"{4096 * i}", "fq_codel", "3", ""],
              5: ["", "", "gone" if i == 4 else "", "SECRET: Permission denied"]}),
        (23, {1: i, 2: "netcost_enter", 3: "sock_sendmsg"}),
        (31, {1: i, 2: [["TcpExt.ListenDrops", "Tcp.RetransSegs", "Udp6InErrors", "TcpExt.Later"][i - 1]]}),
        (34, {1: i, 2: [["NO_SOCKET", "reason 7", "OPENVSWITCH 3", "NO_SOCKET"][i - 1]], 3: [i & 1]}),
        (11, {1: at + 70, 2: [0, 1], 3: [at + 71, at + 72]}),
        (24, {1: [i] * i, 2: [100 * i] * i, 3: [0] * i, 4: [None] * i, 5: i}),
        (32, {1: [2 * i] * i, 30: at + 73, 31: at + 74}),
        (33, {**{key: [2 ** 32 - 3 + i & 2 ** 32 - 1, i] for key in range(1, 11)}, 30: at + 75, 31: at + 76}),
        (35, {1: [3 * i] * i, 30: at + 77, 31: at + 78}),
        (36, {1: 1, 2: [i, None], 30: at + 79, 31: at + 79}),
        (13, {1: [i, i], 2: [0, i], 3: [0, i], 6: i}),
        (29, {1: [77, 0, None], 2: ["SECRET", "", "sh"], 3: [2, 10, None], 4: [i, 0, 0], 5: [0, i, 0]}))


def busy():
    """Yields fourteen ticks of a load that varies, with energy and two processes."""
    yield (17, {1: 1, 2: "SECRET0", 3: 1})
    yield (19, {1: 1, 2: "package-0", 3: 0, 4: 1000, 5: 2 ** 32 - 1, 8: [0, 1]})
    yield (27, {1: 1, 2: ["/SECRET"]})
    yield (46, {1: 1, 2: [100, 101], 3: ["SECRET", "nginx"], 4: [1, 2], 5: [1, 0], 6: [0, 0]})
    for i in range(1, 15):
        at, work = i << 20, [1000 * i * i, 40 * i ** 3]
        yield (11, {1: at, 2: [0, 1], 3: [at, at]})
        for event in (1, 3, 4, 6, 7):
            yield (12, {1: event, 2: [event * w for w in work], 3: [i * i, i], 5: [i * i, i ** 3]})
        yield (12, {1: 0, 2: [at - 21 * w for w in work]})
        yield (18, {1: [1], 2: [i * i], 3: [100 * i ** 3], 6: [i], 7: [64 * i * i], 30: at, 31: at})
        yield (20, {1: [at], 2: [100 * i * i]})
        yield (47, {1: [1, 2], 3: [1000 * i, 40 * i], 5: [3000, i], 6: [4000, 0], 8: [6000, 1], 13: [i, 1], 14: [i, 0],
                    19: [100 * i, 1], 20: [i, 0]})


def rich():
    """Yields one whole part, a part with a missing frame, and frames that only have samples."""
    def begin(i, flags=0):
        return bytes([0xc1, flags | SAYS, 4 * i, 4 * i + 1, i, 0])

    end = pack((127, {7: 1024 * 6, 8: "SECRET: SIGINT"}))
    frames = [rich_frame(i) for i in range(1, 5)]
    whole = OPTIONS + frames[0] + b"".join(begin(i + 1) + frame for i, frame in enumerate(frames) if i)
    yield "rich", whole + begin(5) + end
    # has a filter for tasks
    yield "rich-tasks", bytes([0, 2]) + bytes(6) + whole[len(OPTIONS):] + begin(5) + end
    # is compared with itself
    yield "rich-compared", bytes([0, 0, 0, 32, 2, 3, 129, 0]) + whole[len(OPTIONS):] + begin(5) + end
    # scrub keeps interfaces
    yield "rich-kept", bytes([32]) + bytes(7) + whole[len(OPTIONS):] + begin(5) + end
    yield "rich-parts", whole + begin(5) + end + begin(1, PART) + frames[0] + begin(2) + end
    yield "rich-gap", OPTIONS + frames[0] + begin(3, 1) + frames[2] + begin(4) + frames[3] + begin(5) + end
    yield "rich-gaps", OPTIONS + begin(2, 1) + frames[1] + begin(4, 1) + frames[3]
    ticks = pack(*busy()) + bytes([0xc1, 0]) + end
    yield "busy", bytes([0, 0, 0, 32, 0, 3, 128, 0]) + ticks
    # has idle power and --per
    yield "busy-cgroups", bytes([0, 8 | 16, 0, 32, 1, 1, 128, 1]) + ticks
    samples = b"".join(begin(i) + pack((10, {1: 0, 2: 1024 * i, 3: 1, 4: 3, 5: [0] * 60, 6: [2, 1, 0] * 20, 7: [1] * 60}))
                       for i in range(2, 9))
    yield "samples", bytes([1 | 9 << 2, 6, 1 | 9 << 2, 9, 0, 0, 0, 0]) + frames[0] + samples + begin(9) + end


def main(out):
    os.makedirs(out + "/file", exist_ok=True)
    os.makedirs(out + "/payload", exist_ok=True)
    for name in sorted(os.listdir(VECTORS)):
        path = f"{VECTORS}/{name}"
        if not name.endswith(".nct") or os.path.getsize(path) > MOST:
            continue
        content = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 check=False).stdout
        if len(content) > MOST_CONTENT:
            continue
        shutil.copyfile(path, f"{out}/file/{name}")
        # Files that are refused because of their framing add nothing.
        if re.match("no-|cut-|size-|block|first-|bomb-|checksum|dictionary|reserved|garbage", name):
            continue
        try:
            seed = payload(content)
        except (ValueError, TypeError, AttributeError, msgpack.UnpackException, msgpack.exceptions.ExtraData):
            continue  # the file has no objects to reuse
        if len(OPTIONS) < len(seed) <= MOST:
            with open(f"{out}/payload/{name[:-4]}", "wb") as file:
                file.write(seed)
    for name, seed in rich():
        with open(f"{out}/payload/{name}", "wb") as file:
            file.write(seed)


if __name__ == "__main__":
    main(sys.argv[1])
