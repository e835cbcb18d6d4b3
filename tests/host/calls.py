# SPDX-License-Identifier: BSD-2-Clause
"""Judges the counts of a recorder when tests/host/sockcalls makes N calls of each kind on each sort of socket.

    calls.py list [few | once]          prints all combinations, or those of FEW kinds and sockets, or each kind and each sort of
                                        socket at least once; one "KIND SOCKETS" per line
    calls.py judge-rows TRACE RAN LIST LABEL
                                        prints result lines: each process must have exactly its own calls, in a trace with
                                        --processes. LIST has a line for each process, which begins with its name, KIND-SOCKETS.
                                        RAN is the output of `processes.py each LIST`

The expected counts depend on the method and on --exact, not on the kernel."""
import fnmatch
import sys

sys.path.insert(0, "tests")
import nct  # noqa: E402
from nct import PROBE  # noqa: E402

N, SIZE = 1000, 100
CALLS, FAILED, BYTES = 3, 4, 5  # keys of EXACT
LOSS = {"sends_outside": 2, "recvs_outside": 3, "sends_inside": 4, "recvs_inside": 5}

SENDS = ("write writev pwritev2 send sendto sendmsg sendmmsg splice-to sendfile zerocopy uring-write uring-send "
         "uring-send-zc uring-sendmsg uring-send-wq uring-send-sq").split()
RECEIVES = ("read readv preadv2 recv recvfrom recvmsg recvmmsg splice-from errqueue peek peek-msg peek-mmsg uring-read "
            "uring-recv uring-recvmsg uring-recv-wq uring-recv-sq uring-recv-peek").split()
# Kinds that peek at each message before they receive it: they make two calls for the bytes of one message.
PEEKS = ("peek", "peek-msg", "peek-mmsg", "uring-recv-peek")
# One kind of call for each entry into the protocol.
FEW = "write send sendmsg splice-to uring-send read recv recvmsg splice-from uring-recv".split()
FEW_SOCKETS = "inet tcp packet unix netlink".split()  # one of each place where calls are counted, and of each way there
LOCAL = ("unix", "unix-stream", "netlink")
EVENTS = ("sock_send", "sock_recv", "sock_local")

TRIED = {
    "inet": SENDS + RECEIVES,
    # A zero-copy send over TCP ends when the peer acknowledges it, which the peer delays; time stamps are not per
    # message.
    "tcp": [k for k in SENDS + RECEIVES if k not in ("uring-send-zc", "errqueue")],
    "inet6": FEW,
    "tcp6": FEW,
    "mptcp": FEW,
    "raw": FEW,
    "raw6": FEW,
    "packet": FEW,
    "unix": FEW,
    "unix-stream": FEW,
    "netlink": ["write", "send", "sendmsg", "read", "recv", "recvmsg"],
}

# (method, kinds, sockets): calls that this method cannot see. This is not a failure, but the witness must have counted
# them.
UNSEEN = [
    ("tracepoint", "uring-*", "*", "io_uring makes no system call that names a socket"),
]

# (kinds, sockets): messages that bypass the tracepoints of the witness.
UNWITNESSED = [
    ("splice-from", "tcp*", "tcp_splice_read() is not below sock_recvmsg()"),
]

# The same exceptions with --exact=calls.
UNCOUNTED = UNWITNESSED + [
    ("splice-from", "unix-stream", "unix_stream_splice_read() is not below sock_recvmsg()"),
]


def find(table, *keys):
    """Returns the reason of the first row that matches, or None."""
    for row in table:
        if all(fnmatch.fnmatch(k, pattern) for k, pattern in zip(keys, row)):
            return row[-1]
    return None


class Trace:
    def __init__(self, path):
        self.rungs, self.mode = {}, None
        for kind, rec in nct.objects(path):
            if kind == nct.HEADER:
                self.mode = rec[14]
            elif kind == PROBE and rec[1] == nct.OF_EVENT:
                self.rungs[nct.EVENTS[rec[2]]] = rec[3]
            elif kind == nct.EXACT_LOSS:
                self.has_witness = None not in rec[LOSS["sends_outside"]]


def expected(mode, rung, kind, sockets, has_witness):
    """Returns the expected counts, and the reason why some calls are not seen (None: all are seen)."""
    event, other = ("sock_send", "sock_recv") if kind in SENDS else ("sock_recv", "sock_send")
    unseen = find(UNCOUNTED, kind, sockets) if mode == "calls" else find(UNSEEN, rung, kind, sockets)
    made = 2 * N if kind in PEEKS else N
    calls = {event: 0 if unseen else made, other: N, "sock_local": 0}
    if sockets in LOCAL:
        calls = {event: 0, other: 0, "sock_local": N + calls[event]}
    want = dict(calls)
    for e in calls:
        want[e + " failed"], want[e + " bytes"] = 0, SIZE * min(calls[e], N) if sockets not in LOCAL else SIZE * calls[e]
    if kind == "errqueue":  # returns the number of bytes sent; no bytes are received
        want[event + " bytes"] = 0
    if kind.endswith("mmsg") and rung == "tracepoint" and mode != "calls" and not has_witness:
        want[event + " bytes"] = None  # the system call reports the number of messages
        del want[other + " bytes"]  # the result is the same if the other call came first
    out, back = ("sends", "recvs") if kind in SENDS else ("recvs", "sends")
    messages = 0 if find(UNWITNESSED, kind, sockets) else made
    passed = {out + "_outside": messages if unseen else 0, out + "_inside": 0 if unseen else messages,
              back + "_outside": 0, back + "_inside": N}
    for k in LOSS:
        want[k] = None if not has_witness else 0 if sockets in LOCAL else passed[k]
    return want, unseen


def tried(few=False):
    """Orders the kinds so that those that may leave the byte counts unknown (`expected`) come last."""
    pairs = [(kind, sockets) for sockets, kinds in TRIED.items() for kind in kinds
             if not few or kind in FEW and sockets in FEW_SOCKETS]
    return sorted(pairs, key=lambda pair: pair[0].endswith("mmsg"))


# Other processes of test_counts.sh, with their calls, failures and bytes.
OTHERS = {"failed": {"sock_send": (300, 300, 0), "sock_recv": (200, 200, 0)}, "wait": {"sock_recv": (1, 1, 0)}}


def expected_rows(head, name):
    """Returns {event: (calls, failed, bytes)}; None: unknown. An io_uring receive that finds no data fails with EAGAIN. This is
    not reported, and the receive is repeated when data arrives. `judge_rows` allows it."""
    if name in OTHERS:
        return {e: OTHERS[name].get(e, (0, 0, 0)) for e in EVENTS}
    kind, sockets = next(pair for pair in tried() if "-".join(pair) == name)
    want, _ = expected(head.mode, head.rungs["sock_send" if kind in SENDS else "sock_recv"], kind, sockets, head.has_witness)
    return {e: tuple(want.get(e + k) for k in ("", " failed", " bytes")) for e in EVENTS}


def judge_rows(path, ran_path, list_path, label):
    """Returns whether all calls were counted. A call is missing if its end was missed, for example after a context
    switch inside the call that the tracepoint did not report (one in 300 000 calls on Linux 6.18). At most as many
    calls may be missing as EXACT_LOSS counts. A switch between processes that the tracepoint did not report is counted
    by the row to which the calls before it are charged, so they may be missing in one row if they are in another."""
    import processes
    trace, head = processes.Trace(path), Trace(path)
    missed, lacking, bad = sum(trace.exact.loss.get(1, [])), 0, False
    names = {line.split()[0] for line in open(list_path)}
    all_ran = list(processes.read_ran(ran_path))
    unseen = trace.sum(25)
    pids = {ran.pid for ran in all_ran}
    # A virtual machine's kernel may not report switches to and from threads of init (bpf/processes.h), in either direction.
    stray = sum(row[key] for p, row in trace.rows.items() for key in (13, 14, 15)
                if (row[25] or (p and trace.defined[p][0] == 1)) and not (p and trace.defined[p][0] in pids))
    for ran in all_ran:
        names.discard(ran.name)
        want, wrong = expected_rows(head, ran.name), []
        for i, event in enumerate(EVENTS):
            calls, failed, size = (trace.sum(key + i, trace.of(ran.pid)) for key in (13, 16, 19))
            again = failed if ran.name.startswith("uring-re") else 0
            lacks = want[event][0] + again - calls
            lacking += lacks
            wanted_size = size if want[event][2] is None else want[event][2]
            if lacks and (unseen or stray):
                continue
            if (failed - again, size) != (want[event][1], wanted_size) or not 0 <= lacks <= missed:
                wrong.append("%s: expected %s, got %s" % (event, want[event], (calls, failed, size)))
        if ran.name == "wait" and trace.sum(6, trace.of(ran.pid)) > ran.most_ns(trace):
            wrong.append("%d ns in a receive, %d on CPU" % (trace.sum(6, trace.of(ran.pid)), ran.cpu_ns))
        bad |= bool(wrong)
        print("not ok %s%s: %s" % (label, ran.name, "; ".join(wrong)) if wrong else "ok %s%s" % (label, ran.name))
    for name in names:
        print("not ok %s%s: expected a process, got none" % (label, name))
    if lacking > missed + stray:
        print("not ok %smissed: expected at most %d calls to lack, got %d" % (label, missed + stray, lacking))
    return bad or bool(names) or lacking > missed + stray


def main():
    command, *rest = sys.argv[1:]
    if command == "list":
        for kind, sockets in tried(rest == ["few"]):
            if rest != ["once"] or kind == "write" or sockets == "inet":
                print(kind, sockets)
        return 0
    return judge_rows(*rest)


if __name__ == "__main__":
    sys.exit(main())
