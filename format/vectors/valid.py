# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of valid traces, and of traces with invalid hints."""
import base64
import os
import re
import struct

from pieces import (HEAD, MAGIC, MARK, MIB8, U63, U64, Enc, Obj, Piece, array_head, blocks_of, content_size,
                    data, frame, header, hint, integer, magic_of, obj, one, pack, rec, seek_table, str_head, trace,
                    vector)

PEERS = rec("peers", **{"class": ["loopback", "private", "unconnected", ""]}, address=["::1", "", "", ""], protocol=["tcp", "udp", "1", ""],
            port=[443, 53, None, None], side=["local", "remote", "", ""], sends=[2, 1, 0, 9], recvs=[3, 1, 1, 9],
            send_bytes=[200, 10, 0, 900], recv_bytes=[300, 10, 64, 900])


def make():
    def ok(name, shows, pieces):
        vector(name, "ok", shows, pieces)

    def hints(name, shows, pieces):
        vector(name, "hint", shows, pieces)

    def whole(name, shows, pieces):
        vector(name, "whole", shows, pieces)

    def holds(name, shows, *objects):
        ok(name, shows, trace(data(frame(1), *objects)))

    ok("minimal", "the least: HEADER with major, FRAME with seq, an empty END", [
        Piece(MAGIC), data(header()), data(frame(1), rec("end"))])
    ok("one-frame", "END in HEADER's frame", [Piece(MAGIC), data(header(), rec("end"))])
    ok("one-frame-totals", "END in HEADER's frame, with totals", [
        Piece(MAGIC), data(header(), MARK[1], rec("end", frames=0, records=2, samples=0))])
    ok("example", "a complete trace, byte for byte", example())
    ok("all-keys", "every type and every key", all_keys())
    holds("peers", "messages by peer, with and without an address, and those of the others",
          rec("tick", at_ns=0, cpu=[0]), PEERS)
    holds("messages-outside", "messages outside of all probes, after the counters of two ticks",
          rec("tick", at_ns=0, cpu=[0]), rec("exact_loss", sends_outside=[5], recvs_outside=[0]),
          rec("outside", process=[77, 0, None], name=["iperf3", "", "sh"], family=[2, 10, 2], sends=[1, 2, 1],
              recvs=[0, 0, 0]),
          rec("tick", at_ns=0, cpu=[0]), rec("exact_loss", sends_outside=[6], recvs_outside=[2]),
          rec("outside", process=[77], name=["iperf3"], family=[2], sends=[1], recvs=[2]))
    holds("processes", "counters by process, in two ticks; one process returns under another name, some have no room",
          rec("cgroups", first=1, path=["/", "/system.slice/docker-" + 64 * "a" + ".scope"]),
          rec("tick", at_ns=0, cpu=[0]),
          rec("processes", first=1, pid=[0, 77, None], name=["idle", "sh", "x"], start_ns=[None, 5, 0], cgroup=[0, 2, 1],
              kernel=[0, 0, 1], user=[None, 1000, 0]),
          rec("process_stats", process=[2, 1, 3], task_ns=[1000, 0, 1], rx_softirq_ns=[0, 70, 0],
              send_bytes=[None, 0, 0]),
          rec("tick", at_ns=0, cpu=[0]),
          rec("processes", first=4, pid=[77], name=["ls"], start_ns=[5], cgroup=[2], kernel=[0]),
          rec("process_stats", process=[4, 0], switches=[1, 2], task_ns=[500, 20]),
          rec("process_stats", process=[]))
    holds("owners", "receivers and other dispositions of packets, in two ticks; one in ten softirqs",
          rec("processes", first=1, pid=[77], name=["sh"], start_ns=[5], cgroup=[0], kernel=[0]),
          rec("tick", at_ns=0, cpu=[0]),
          rec("owner_stats", process=[1, 0], ns=[1000, 5], packets=[3, 1], squares=[400, 0]),
          rec("rx_fates", fate=[0, 1, 2, 3, 4, 6, 7], cpu=[0, 0, 0, 0, 0, 0, 0], ns=[1005, 7, 8, 900, 10, 20000, 300],
              packets=[4, 1, 1, 0, 1, 0, 0], squares=[400, 0, 0, 300, 0, 0, 0],
              reason=["", "NO_SOCKET", "", "", "", "", ""], netdev=["", "", "eth1", "", "", "", ""], every=10),
          rec("tick", at_ns=0, cpu=[0]),
          rec("owner_stats", process=[], ns=[], packets=[]), rec("rx_fates", fate=[7, 99], cpu=[0, 0], ns=[-300, 1], packets=[0, 0]))
    holds("latency", "packet latency in two ticks; a newer hook, only losses, and no packet at all",
          rec("probe", of=2, number=6, method="tracepoint", hooks=["tcp_probe", "skb_copy_datagram_iovec"], reason=""),
          rec("probe", of=2, number=1, method="off", hooks=[], reason="#53 1"),
          rec("probe", of=2, number=99, method="fentry", hooks=["x"], reason=""),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency", hook=6, cpu=0, ns=5000, min_ns=900, max_ns=2300, bucket=[185, 201, 226], packets=[1, 1, 1], unknown=2),
          rec("latency", hook=99, cpu=0, ns=1, bucket=[1 << 40], packets=[1]),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency", hook=6, cpu=0, bucket=[], packets=[], other=1, old=1),
          rec("latency", hook=0, cpu=0, ns=0, min_ns=0, max_ns=0, bucket=[0], packets=[7]))
    holds("latency-by", "packet latency by interface and process; a key without a name, unknown keys, the rest, and a newer kind of key",
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency_by", hook=0, by=0, which=0, ns=3000, bucket=[185, 201], packets=[2, 1], netdev="eth0", netns=4026531840, ifindex=2),
          rec("latency_by", hook=0, by=0, which=0, ns=40, bucket=[39], packets=[1], netdev="", netns=4026532009, ifindex=1),
          rec("latency_by", hook=6, by=1, which=0, ns=40, bucket=[39], packets=[1], cgroup="/system.slice", cgroup_id=77),
          rec("latency_by", hook=6, by=2, which=0, ns=40, bucket=[39], packets=[1], process="sh", pid=77, start_ns=5),
          rec("latency_by", hook=6, by=2, which=1, ns=40, bucket=[39], packets=[1]),
          rec("latency_by", hook=6, by=2, which=2, bucket=[], packets=[]),
          rec("latency_by", hook=99, by=98, which=97, bucket=[1 << 40], packets=[1]))
    holds("latency-only", "packet latency of selected packets, in two ticks, with the number of the others",
          rec("latency_only", netdev="eth0", netns=4026531840, ifindex=2, queue=3),
          rec("probe", of=2, number=6, method="tracepoint", hooks=["tcp_probe", "skb_copy_datagram_iovec"], reason=""),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency", hook=6, cpu=0, ns=40, min_ns=40, max_ns=40, bucket=[39], packets=[1], unknown=1, filtered=9),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency", hook=6, cpu=0, bucket=[], packets=[], filtered=1))
    holds("latency-tail", "CPU activity during the slowest packets of two ticks; a newer hook, a newer culprit, and none",
          rec("probe", of=4, number=0, method="tracepoint", hooks=["sched_switch", "softirq_entry"], reason=""),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency_tail", hook=7, cpu=0, end_ns=0, ns=5000, what=[3, 1, 0], reader=[1, 0, 0], number=[1, 3, None],
              name=["hog", "", ""], took_ns=[4000, 900, 100], queued_ns=1000, queued_cpu=0, task="reader",
              span_share=[0, 1, 2, 9], span_ns=[4000, 900, 100, None]),
          rec("latency_tail", hook=99, cpu=0, ns=7, what=[99], reader=[2], number=[1 << 40], name=["x"], took_ns=[7]),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency_tail", hook=0, cpu=0, ns=0, what=[], reader=[], number=[], name=[], took_ns=[]))
    holds("latency-tail-way", "earlier checkpoints of the slowest packets; a newer hook, a decreasing time, columns of different lengths, and none",
          rec("probe", of=4, number=0, method="tracepoint", hooks=["sched_switch", "cpu_idle"], reason=""),
          rec("tick", at_ns=0, cpu=[0]),
          rec("latency_tail", hook=7, cpu=0, ns=5000, what=[9, 8], reader=[1, 1], number=[2, None], name=["", ""], took_ns=[4000, 1000],
              passed_hook=[0, 1, 99, 5], passed_ns=[10, 11, 11, 9], before=12),
          rec("latency_tail", hook=5, cpu=0, ns=7, what=[9], reader=[0], number=[0], name=[""], took_ns=[7], passed_hook=[0], passed_ns=[]),
          rec("latency_tail", hook=8, cpu=0, ns=7, what=[9], reader=[0], number=[1], name=[""], took_ns=[7], passed_hook=[], passed_ns=[], before=0))
    holds("stages", "packet paths in two ticks, the second with counts only; a newer stage, a path without an end, an index out of range",
          rec("probe", of=3, number=3, method="tracepoint", hooks=["netif_rx_entry"], reason=""),
          rec("probe", of=3, number=5, method="off", hooks=[], reason="#53 1"),
          rec("probe", of=3, number=99, method="fentry", hooks=["x"], reason=""),
          rec("tick", at_ns=0, cpu=[0]),
          rec("stages", base_ns=5000, dt=[0, 40, 900, 0, 7], packet=[70, 0, 3, -3, 5], stage=[3, 4, 0, 14, 99], cpu=[0, 0, 1, 0, 0],
              device=[1, 1, 2, 0, 9], flow=[0xfedcba98, None, 0, None, None], reason=[0, 0, 0, 1, 9], netns=[4026531840, 4026532200],
              ifindex=[2, 7], reasons=["NO_SOCKET"], every=64, packets=131, full=1, evicted=0),
          rec("tick", at_ns=0, cpu=[0]),
          rec("stages", dt=[], packet=[], stage=[], cpu=[], device=[], flow=[], reason=[], netns=[], ifindex=[], reasons=[],
              every=64, packets=0))
    holds("stages-rules", "packet paths through netfilter's hooks and tables; an index out of range, and lists of different lengths",
          rec("tick", at_ns=0, cpu=[0]),
          rec("stages", base_ns=5000, dt=[0, 40, 5, 7, 9], packet=[70, 0, 0, 0, 0], stage=[18, 19, 20, 19, 13], cpu=[0] * 5,
              device=[1, 1, 1, 1, 0], flow=[5, None, None, None, None], reason=[0] * 5, netns=[4026531840], ifindex=[2], reasons=[],
              rule=[1, 2, 3, 9, 0], hooks=["ip output", "ip output", "ip6 postrouting"], tables=["", "filter"]))
    holds("stages-flows", "packet paths with names of interfaces and addresses of flows; lists of different lengths",
          rec("tick", at_ns=0, cpu=[0]),
          rec("stages", base_ns=5000, dt=[0, 40, 900], packet=[70, 0, 3], stage=[3, 14, 0], cpu=[0] * 3, device=[1, 0, 2],
              flow=[0xfedcba98, None, 7], reason=[0] * 3, netns=[4026531840, 4026532200], ifindex=[2, 7], reasons=[],
              names=["eth0"], flows=[0xfedcba98, 7, 8], protocol=[17, 58], **{"from": ["192.0.2.1", "2001:db8::1", ""]},
              from_port=[5000, None], to=["192.0.2.2", "2001:db8::2"], to_port=[53, None, 1 << 40]))
    holds("own-cost", "cost and number of runs of the recorder's own probes, in two ticks",
          rec("probe_cost", probe=7, ps=162017, ci95_ps=17243, inside_ps=80149, inside_ci95_ps=8622, measured=480),
          rec("probe_cost", probe=11, why="#131"), rec("probe_cost", probe=99, ps=1),
          *(rec(k, **more) for value in (1, 5) for k, more in (
              ("tick", dict(at_ns=0, cpu=[0, 2])),
              ("probe_runs", dict(probe=0, task=[value, None])),
              ("probe_runs", dict(probe=7, idle=[value, 2], task=[3, value], io_worker=[0, 0], sock_send=[5, 6],
                                  sock_recv=[7, 8], sock_local=[9, 10], rx_softirq=[0, 0], tx_softirq=[0, 0],
                                  rx_thread=[0, 1], rx_busy_poll=[0, 0], hardirq_net=[0, value])))))
    holds("settings", "the host's settings, twice: the second time those that changed or are gone",
          rec("context", at_ns=1000, subject=["net.core", "interface eth0", "interface eth0 rx-0", "kernel"],
              name=["rmem_max", "qdisc", "rps_cpus", "preemption chosen"], value=["212992", "fq_codel", "none", ""],
              why=["", "", "", "#143 1"]),
          rec("context", at_ns=2000, subject=["interface eth0", "interface eth0 rx-0"], name=["qdisc", "rps_cpus"],
              value=["noqueue", ""], why=["", "#138"]),
          rec("context", at_ns=2000, subject=[], name=[], value=[], why=[]))
    holds("certificates", "certificates at the start and at the end, and one that was not possible",
          rec("certificate", at_ns=0, when="start", state="passed", why="", cpu=0, injected_ns=10000000,
              found_ns=9990000, error_ns=50000, packets=1000, packets_counted=1000, bytes=64000, bytes_counted=64000,
              tested=21, seen=21, took_ns=30000000, cpu_ns=16000000),
          rec("certificate", when="end", state="impossible", why="#117 1"),
          rec("certificate"))
    holds("keys-missing", "no key where no key is required", *(rec(k) for k in (
        "clock", "source", "probe", "mark")), rec("tick", cpu=[]), *(rec(k) for k in (
            "exact", "exact_loss", "sample_loss", "procstat", "softnet", "self")))
    ok("columns-empty", "columns without elements", trace(
        data(frame(1, lost=[]), rec("symbols", first=1, name=[], module=[], offset=[]),
             rec("stacks", first=1, up=[], symbol=[]), rec("tasks", first=1, tid=[], tgid=[], comm=[]),
             rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[], stack=[], task=[]),
             rec("tick", at_ns=0, cpu=[], exact_ns=[]), rec("exact", event=1, ns=[], calls=[]),
             rec("softnet", processed=[]), rec("netdev_stats", id=[], rx_bytes=[]),
             rec("energy", read_ns=[], raw=[]), rec("probe", of=0, number=0, hooks=[], refused=[])),
        head=data(header(requires=[], cpus=[], command=[]))))
    ok("nil", "elements that were not measured, in columns that can have them", trace(
        data(frame(1, lost=[None, 3]), rec("energy_zone", id=1), rec("energy_zone", id=2),
             rec("tick", cpu=[0, 3], exact_ns=[None, 0]),
             rec("exact", event=1, ns=[None, 0], calls=[1, None]),
             rec("exact_loss", untracked=[None, None]), rec("sample_loss", lost=[0, None]),
             rec("energy", read_ns=[0, None], raw=[None, None]), rec("netdev", id=1),
             rec("netdev_stats", id=[1], rx_bytes=[None])),
        head=data(header(cpus=[0, 3]))))
    holds("integers-extreme", "the ends of UINT's and INT's ranges, and of every encoding",
          rec("clock", mono_ns=0, real_ns=U63, boot_ns=U63, error_ns=U63),
          rec("symbols", first=1, name=["a"] * 19, module=[0] * 19, offset=[
              -2 ** 62, 2 ** 62, 0, -1, -32, -33, -128, -129, -2 ** 15, -2 ** 15 - 1, -2 ** 31, -2 ** 31 - 1,
              127, 128, 255, 256, 65535, 2 ** 31, 2 ** 32]),
          rec("tick", cpu=[0, 1, 2, 3, 4, 5, 6, 7, 8]),
          rec("exact", event=7, ns=[0, 127, 128, 255, 256, 65535, 65536, 2 ** 32 - 1, 2 ** 32],
              calls=[U63] * 9),
          rec("self", written=U63))
    tens = [Enc(10, integer(10, form)) for form in (0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3)] + [10]
    minus = [Enc(-9, integer(-9, form)) for form in (0xd0, 0xd1, 0xd2, 0xd3)] + [-9]
    holds("integers-encoded", "every encoding of the same integers, and of the number 0",
          *(rec("mark", at_ns=ten) for ten in tens),
          rec("tick", cpu=[0, 1, 2, 3, 4, 5, 6, 7, 8], exact_ns=tens),
          rec("symbols", first=1, name=[""] * 5,
              module=[Enc(0, integer(0, form)) for form in (0xcc, 0xcf, 0xd0, 0xd3)] + [0], offset=minus),
          rec("self", written=Enc(2 ** 40, integer(2 ** 40, 0xd3))))
    holds("integers-keys", "types and keys in long encodings",
          Obj(b"\x92" + integer(22, 0xcf) + b"\x82" + integer(1, 0xd3) + b"\x05" + integer(2, 0xce)
              + b"\xa1x", {"type": "mark", "at_ns": 5, "text": "x"}),
          Obj(b"\x92" + integer(22, 0xd0) + b"\x81" + integer(2, 0xd1) + b"\xa0",
              {"type": "mark", "text": ""}))
    long_str = [Enc("ab", b"\xd9\x02ab"), Enc("ab", b"\xda\0\x02ab"), Enc("ab", b"\xdb\0\0\0\x02ab"), "ab"]
    holds("lengths-encoded", "strings, arrays and maps whose lengths are longer than they need be",
          *(rec("mark", text=text) for text in long_str),
          rec("probe", hooks=Enc(["ab"] * 4, b"\xdc\0\x04" + b"".join(map(pack, long_str))),
              refused=Enc(["q"], b"\xdd\0\0\0\x01\xa1q")),
          Obj(b"\xdc\0\x02\x16\xde\0\x01\x01\x02", {"type": "mark", "at_ns": 2}),
          Obj(b"\xdd\0\0\0\x02\x16\xdf\0\0\0\x01\x01\x03", {"type": "mark", "at_ns": 3}),
          Obj(b"\x92\x16\xdf\0\0\0\0", {"type": "mark"}))
    holds("string-limit", "a string of 4096 bytes, and such in a column", rec("mark", text="x" * 4096),
          rec("probe", hooks=["y" * 4096, "", "z" * 255, "z" * 256]))
    holds("stack-limit", "a stack of 127 functions",
          rec("symbols", first=1, name=["f", "g"], module=[0, 0], offset=[0, 16]),
          rec("stacks", first=1, up=[1] * 127, symbol=[1, 2] * 63 + [1]),
          rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[127], task=[0]))
    ok("frames", "several frames", trace(*(one(i) for i in range(1, 6))))
    ok("blocks", "frames of several raw and RLE blocks, empty ones too, and one that ends with one", trace(
        data(frame(1), rec("mark", text="a" + "b" * 100 + "c"), blocks=[
            (0, 5, b"\x92\x02\x81\x01\x01"), (0, 0, b""), (0, 7, b"\x92\x16\x81\x02\xd9\x66a"), (1, 99, b"b"),
            (1, 1, b"b"), (0, 1, b"c"), (0, 0, b"")]),
        data(frame(2), rec("mark", text="dd"), blocks=[
            (0, 1, b"\x92"), (0, 8, b"\x02\x81\x01\x02\x92\x16\x81\x02"), (0, 1, b"\xa2"), (1, 2, b"d")])))
    squeezed = [rec("mark", text="sock_sendmsg " * 30 + str(i)) for i in range(4)]
    ok("compressed", "a frame of a compressed block", trace(
        Piece(COMPRESSED, [frame(1).row] + [r.row for r in squeezed], 5)))
    assert content_size(COMPRESSED) == len(frame(1).data) + sum(len(r.data) for r in squeezed)
    ok("size-fields", "every width of Frame_Content_Size, with and without a window", trace(
        data(frame(1), rec("mark", text="x" * 300), flag=1),
        *(data(frame(i), MARK[i], flag=f, window=w) for i, (f, w) in enumerate(
            [(0, None), (2, None), (3, None), (2, 0), (3, 0x38)], 2)),
        data(frame(7), rec("mark", text="y" * 300), flag=1, window=0)))
    ok("window", "a window of 128 MiB (a writer should not)", trace(
        data(frame(1), MARK[1], flag=2, window=17 << 3)))
    long = rec("mark", text="z" * 4000)
    ok("block-over-window", "a block larger than the window", trace(
        data(frame(1), long, flag=2, window=0), data(frame(2), MARK[2])))
    run = rec("mark", [(3, b"\xc6" + (1 << 17).to_bytes(4, "big") + bytes(1 << 17))])
    assert (1, 1 << 17, b"\0") in blocks_of(run.data)
    ok("block-limit", "an RLE block of 128 KiB", trace(data(frame(1), run)))
    ok("skippable", "skippable frames of all numbers, everywhere but before HEADER's frame, empty ones too",
       [Piece(MAGIC), HEAD, *(hint(b"hint" * i, i) for i in range(16)), one(1),
        hint(HEAD.data), one(2), hint(), data(frame(3), rec("end", frames=3, records=6)), hint(b"after", 15),
        hint(b"", 14), Piece(MAGIC), hint(b"\0" * 5000, 7)])
    ok("skippable-large", "a skippable frame larger than what is read at once",
       trace(one(1), hint(b"\xfd\x2f\xb5\x28" * 9000), one(2)))
    ok("magic-between", "magics between the frames of a part, of another major version, too: skippable frames as any other", trace(
        one(1), Piece(MAGIC), magic_of(9), one(2), hint(MAGIC[8:] + b"x", 12), one(3)))
    ok("no-seek-table", "without a seek table", trace(one(1), table=False))
    hints("seek-table-wrong", "a seek table that lies: sizes, number, flags", [
        *trace(one(1), table=False), hint(struct.pack("<IIIIII", 16, 0, 0xffffffff, 0xffffffff, 1, 0)
        + struct.pack("<IBI", 3, 0x83, 0x8f92eab1), 14)])
    hints("seek-table-number", "a seek table that says 2^32 - 1 frames", [*trace(one(1), table=False), hint(
        struct.pack("<IBI", 0xffffffff, 0, 0x8f92eab1), 14)])
    ok("seek-table-inside", "a seek table between frames", [
        *trace(one(1), end=False), data(frame(2), rec("end", frames=2, records=4))])
    hints("index-wrong", "INDEX that lie, columns of unequal length, without keys, in a middle frame", trace(
        data(frame(1), rec("index", offset=[U63, 0, 0, 16], first_ns=[0], last_ns=[]), MARK[1], rec("index"),
             rec("index", offset=[None], first_ns=[None], last_ns=[None])), one(2)))
    hints("index-defines-wrong", "INDEX says that frames define nothing", trace(
        one(1), data(frame(2), rec("index", offset=[16, 49], first_ns=[None, None], last_ns=[None, None],
                                   defines=[0, 0]))))
    ok("index-defines-nil", "INDEX does not know what frames define something", trace(
        one(1), data(frame(2), rec("index", offset=[16, 49], first_ns=[None, None], last_ns=[None, None],
                                   defines=[None, None]))))
    anything = any_value(8)
    holds("unknown-types", "types of later versions, the largest one too; any values", obj(99, []),
          obj(125, [(1, b"\xc3")]), obj(128, [(1, anything), (2, anything)]), MARK[1],
          obj(U63, [(7, b"\xc0"), (U63, b"\xcb" + b"\x7f" * 8)]), obj(0, [(1, b"\x01")]))
    holds("unknown-largest", "the largest type and the largest key", obj(U64, [(U64, b"\x01")]),
          rec("mark", [(U64, b"\x01")], at_ns=1))
    holds("unknown-event", "events of later versions", rec("probe", of=0, number=99, method="fentry"),
          rec("probe", of=0, number=U63), rec("tick", cpu=[0]), rec("exact", event=99, ns=[1]),
          rec("exact", event=U63, calls=[1]))
    holds("unknown-part", "parts of later versions", rec("probe", of=1, number=99, method="fentry"), rec("probe", of=1, number=U63),
          rec("tick", cpu=[0]), rec("exact_part", part=99, ns=[1]), rec("exact_part", part=U63, calls=[1]))
    holds("unknown-probe", "a PROBE about something that only later versions know", rec("probe", of=99, number=0, method="fentry"),
          rec("probe", of=U63, number=U63), rec("probe", number=3), rec("probe", of=0))
    holds("unknown-keys", "unknown keys after known ones, any values",
          rec("mark", [(3, anything), (64, anything), (U63, anything)], at_ns=1, text="here"),
          rec("tick", cpu=[]), rec("self", [(9, b"\xc0")]))
    holds("unknown-depth", "arrays and maps 8 deep after an unknown key",
          rec("mark", [(9, b"\x91" * 8 + b"\x01")], at_ns=1), rec("mark", [(9, b"\x81\x01" * 8 + b"\xc0")]),
          rec("mark", [(9, b"\x81\x90\x80"), (10, b"\x91" * 7 + b"\x80")]))
    holds("unknown-long", "after an unknown key the limits for strings and maps do not hold",
          rec("mark", [(9, str_head(5000) + b"s" * 5000), (10, b"\xc5\x20\x00" + b"b" * 8192),
                       (11, b"\xde\0\x64" + b"\x01\x01" * 100),
                       (12, array_head(70000) + b"\xc0" * 70000)], at_ns=1))
    ok("minor", "a newer minor version: unknown keys in HEADER and FRAME, unknown types", trace(
        data(rec("frame", [(50, b"\x91\xa1x")], seq=1), obj(99, [(1, b"\x01")]), MARK[1]),
        head=data(header([(50, b"\xa5later"), (51, b"\x80")], minor=7, tool="later"), obj(88, []))))
    holds("fields-limit", "objects of 64 keys",
          rec("mark", [(k, b"\x00") for k in range(3, 65)], at_ns=1, text="t"),
          obj(77, [(k * k, b"\xc2") for k in range(1, 65)]))
    ok("unknown-text", "texts of later versions", trace(
        data(frame(1), rec("source", name="entropy", state="shy", via="tea leaves"),
             rec("probe", of=0, number=3, method="snake")),
        head=data(header(sampler="quantum", sample_event="mood", exact="sometimes"))))
    ok("reasons", "reasons: several, later ones, with other arguments, escaped, and sentences", trace(data(
        frame(1),
        *(rec("source", name=f"source {i}", state="absent", via=via, why=why) for i, (via, why) in enumerate((
            ("#144 /proc/stat", "#142 fentry #101 1 #142 kprobe #104"), ("#65535 eth0 7 a%20b", "#99999 #1 x #105 -1 #105"),
            ("#147 a%0a%25%23%zz%4", "#147 #123456 #"), ("tea leaves", "#"), ("#1x", "# 1"), (" #1", "#105  13 "),
            ("#147 \x1b[2J\0", "#115 #115 #115"), ("#147 %c3%a9%ff%00%0a", "#111 a%1b[2J 9999 #14 a,b,%2c"), ("#9 " * 1000, "#147 " + "z" * 4000)))),
        rec("probe", of=0, number=3, refused=["#142 snake #70000", "", "no"]))))
    ok("samples-of", "samples of cycles, and of the network only", trace(
        data(frame(1)), head=data(header(sampler="bpf", sample_event="cycles", sample_period=2400000, sampled="network"))))
    holds("names-utf8", "names in UTF-8: two, three and four bytes, the last character",
          rec("tasks", first=1, tid=[1, 2], tgid=[1, 2], comm=["käse", "日本"]),
          rec("netdev", id=1, name="eth\U0001f9c0"),
          rec("mark", text="\u0080\u07ff\u0800\uffff\U00010000\U0010ffff"))
    invalid = [b"a\xff", b"\x80b", b"c\xfed", b"\xc0", b"e\xc3", b"\xf8f"]
    holds("names-no-utf8", "names that are not UTF-8: each bad byte becomes one U+FFFD",
          rec("tasks", first=1, tid=[1] * 6, tgid=[1] * 6, comm=Enc(
              ["a\ufffd", "\ufffdb", "c\ufffdd", "\ufffd", "e\ufffd", "\ufffdf"],
              array_head(6) + b"".join(pack(n) for n in invalid))),
          rec("netdev", id=1, name=Enc("\ufffd\ufffdx", b"\xa3\xff\xffx")))
    holds("names-cut-utf8", "names that are truncated within a character, surrogates, overlong forms",
          *(rec("mark", text=Enc(text, pack(data))) for text, data in (
              ("a\ufffd", b"a\xe6\x97"), ("\ufffd", b"\xf0\x9f\xa7"),
              ("\ufffd\ufffd\ufffdx", b"\xed\xa0\x80x"),
              ("\ufffd\ufffd", b"\xc0\x80"), ("\ufffd\ufffd\ufffd\ufffd", b"\xf4\x90\x80\x80"))))
    holds("names-subparts", "invalid UTF-8 as in tables 3-8 to 3-11 of the Unicode Standard",
          *(rec("mark", text=Enc(text.replace("?", "\ufffd"), pack(data))) for text, data in (
              ("????????A", b"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A"),
              ("????????A", b"\xed\xa0\x80\xed\xbf\xbf\xed\xafA"),
              ("?????A??B", b"\xf4\x91\x92\x93\xff\x41\x80\xbfB"),
              ("????A", b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA"),
              ("a???b?c??d", b"a\xf1\x80\x80\xe1\x80\xc2b\x80c\x80\xbfd"))))
    holds("names-control", "control characters, quotes, backslashes, NUL, DEL",
          rec("mark", text="".join(map(chr, range(32))) + "\"\\/\x7f<&'\u2028"),
          rec("netdev", id=1, name="a\0b"))
    ok("end-alone", "END is alone in its frame, with FRAME; the one before it has FRAME only",
       trace(data(frame(1))))
    whole("end-totals-wrong", "END's totals are wrong: a reader tells, and gives the records", [
        Piece(MAGIC), HEAD, one(1), data(frame(2), rec("end", frames=7, records=U63))])
    ok("source-again", "a SOURCE that replaces an earlier one", trace(
        one(1, rec("source", name="energy", state="measured")),
        one(2, rec("source", name="energy", state="stuck", why="#138"))))
    filler = MIB8 - len(frame(1).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))], at_ns=1).data)
    ok("frame-limit", "a frame of 8 MiB: a bin after an unknown key", trace(
        data(frame(1), rec("mark", [(3, b"\xc6" + filler.to_bytes(4, "big") + bytes(filler))], at_ns=1))))
    ok("frame-limit-array", "a frame of 8 MiB: an array of as many nils after an unknown key", trace(
        data(frame(1), rec("mark", [(3, b"\xdd" + filler.to_bytes(4, "big") + b"\xc0" * filler)], at_ns=1))))


def any_value(depth):
    """Returns a value with every kind of msgpack, nested `depth` deep."""
    flat = [
        b"\x00", b"\x7f", b"\xe0", b"\xff", b"\xc0", b"\xc2", b"\xc3", b"\xca\x7f\xc0\0\0",
        b"\xcb" + b"\xff" * 8, *(integer(200, form) for form in range(0xcc, 0xd4)), integer(U64),
        integer(-2 ** 63),
        b"\xa0", b"\xa2\xff\0", b"\xd9\x01x", b"\xda\0\x01x", b"\xdb\0\0\0\x01x",
        b"\xc4\x02\0\xff", b"\xc5\0\x01x", b"\xc6\0\0\0\0",
        b"\xd4\x01x", b"\xd5\xffxx", b"\xd6\xff" + bytes(4), b"\xd7\x7f" + bytes(8), b"\xd8\x80" + bytes(16),
        b"\xc7\x0c\xff" + bytes(12), b"\xc7\0\x05", b"\xc8\0\x03\x01abc", b"\xc9\0\0\0\x01\x02z",
        b"\x90", b"\x80", b"\xdc\0\0", b"\xdd\0\0\0\0", b"\xde\0\0", b"\xdf\0\0\0\0"]
    if depth == 1:
        flat = flat[:-6]
        return array_head(len(flat)) + b"".join(flat)
    if depth == 2:
        inner = any_value(1)
        return array_head(len(flat) + 1) + b"".join(flat) + inner
    inner = any_value(depth - 1)
    # In a nested map keys need not be integers, nor ascending.
    return b"\x84\xa1k" + inner + b"\x05\xc0" + b"\x05\x93\x01\x91\xc3\xc2" + b"\xc0\xca\0\0\0\0"


# Another version of zstd gives other bytes for this; so does another level. It is from zstd 1.5.4.
COMPRESSED = base64.b64decode("""
    KLUv/WQ9BWUBAOiSAoEBAZIWgQLaAYdzb2NrX3NlbmRtc2cgMDEyMwQELIpAFOEUIxfLDiYef3FLpQ==
""")


def example():
    """The bytes of example.txt: they end where three blanks stand, or the line."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "example.txt"), encoding="utf-8") as listing:
        lines = re.findall(r"^[0-9a-f]{3}  (.+)$", listing.read(), re.M)
    text = "".join(line.strip().split("   ")[0].replace(" ", "") for line in lines)
    rows = [
        {"type": "header", "major": 1, "minor": 0, "cpus": [0], "sample_hz": 999},
        {"type": "frame", "seq": 1, "first_ns": 5001000, "last_ns": 5999000, "lost": [0]},
        {"type": "symbols", "first": 1, "name": ["__sys_sendto", "udp_sendmsg"], "module": [0, 0],
         "offset": [4096, -16]},
        {"type": "stacks", "first": 1, "up": [1, 1], "symbol": [1, 2]},
        {"type": "samples", "cpu": 0, "base_ns": 4000000, "unit_ns": 1000, "step": 1001, "dt": [0, -3],
         "stack": [2, 0], "task": [0, 0]},
        {"type": "frame", "seq": 2, "first_ns": 0, "last_ns": 0, "lost": [0]},
        {"type": "index", "offset": [16, 43], "first_ns": [None, 5001000], "last_ns": [None, 5999000]},
        {"type": "end", "frames": 2, "records": 7, "samples": 2, "symbols": 2, "stacks": 2, "tasks": 0,
         "at_ns": 6000000, "why": "SIGINT"}]
    return [Piece(bytes.fromhex(text), rows)]


def all_keys():
    two = dict(calls=[1, 2], failed=[0, 1], bytes=[0, 70000])
    first = data(
        header(minor=0, requires=[], tool="generate.py 1", kernel="7.0.0", machine="x86_64", cpus_possible=4,
               cpus=[0, 2], cpu_model="A CPU", sample_hz=999, sampler="perf", sample_event="cpu-clock",
               tick_ms=100, exact="full", user_hz=100, host="build", command=["sleep", "1"], start_ns=1000,
               derived=["#11", "#10 0.000 1.500"], cpus_online=3),
        rec("schema", record=[99, 99], key=[0, 1], name=["gauge", "level"], kind=["", "UINT"], unit=["", "mW"],
            meaning=["", ""]),
        rec("names", of="colour", number=[0, 7], name=["red", "sea-green"]),
        rec("clock", mono_ns=1000, real_ns=1795152604172817304, boot_ns=2000, error_ns=40),
        rec("source", name="samples", state="measured", via="#148 perf cpu-clock", why=""),
        rec("source", name="energy", state="measured", via="#144 /sys/class/powercap", why=""),
        rec("probe", of=0, number=3, method="kprobe", hooks=["sock_sendmsg"], refused=["#142 fentry #101 1"],
            tested=10, seen=9, unseen=["splice"]),
        rec("probe", of=1, number=1, method="tracepoint", hooks=["napi_gro_receive_entry"], reason="#142 fentry #105 1"),
        rec("certificate", at_ns=900, when="start", state="failed", why="#130", cpu=2,
            injected_ns=9652510, found_ns=-40, error_ns=166729, packets=1000, packets_counted=999, bytes=64000,
            bytes_counted=63936, tested=21, seen=17, took_ns=22207329, cpu_ns=16093162))
    second = data(
        frame(1, first_ns=1500, last_ns=5000, lost=[0, 1]),
        rec("module", id=1, name="veth"), rec("module", id=2, build_id="00c0ffee", file="libx.so.1"),
        rec("symbols", first=1, name=["main_loop", "veth_xmit", ""], module=[0, 1, 0], offset=[-4096, 32, 0]),
        rec("stacks", first=1, up=[1, 1, 3], symbol=[1, 2, 3]),
        rec("tasks", first=1, tid=[0, 77], tgid=[0, 70], comm=["", "iperf3"]),
        rec("cgroups", first=1, path=["/", "/system.slice/iperf3.service"], pod=["", "web-0"], namespace=["", "shop"],
            container=["", "nginx"], image=["", "docker.io/library/nginx:1"], workload=["", "web"]),
        rec("processes", first=1, pid=[77, 0], name=["iperf3", "idle"], start_ns=[900, None], cgroup=[2, 0],
            kernel=[0, 0], user=[1000, None]),
        rec("process_stats", process=[1, 2, 0], switches=[3, 0, 9], task_ns=[10, 0, 1], io_worker_ns=[0, 0, 0],
            sock_send_ns=[4, 0, 0], sock_recv_ns=[5, 0, 0], sock_local_ns=[0, 0, 0], rx_softirq_ns=[6, 7, 0],
            tx_softirq_ns=[0, 1, 0], rx_thread_ns=[0, 0, 0], rx_busy_poll_ns=[0, 0, 0], hardirq_net_ns=[0, 2, 0],
            send_calls=[1, 0, 0], recv_calls=[2, 0, 0], local_calls=[0, 0, 0], send_failed=[0, 0, 0],
            recv_failed=[1, 0, 0], local_failed=[0, 0, 0], send_bytes=[1500, 0, None], recv_bytes=[64, 0, 0],
            local_bytes=[0, 0, 0], rx_softirqs=[2, 3, 0], tx_softirqs=[0, 1, 0], hardirqs_net=[0, 4, 0],
            unseen=[0, 0, 1], page_hits=[5, 0, 0], cycles=[40, 9, 0], ref_cycles=[30, 9, 0], instructions=[80, 3, 0],
            cache_misses=[1, 0, 0], pmu_ns=[20, 9, 1], cycles_ns=[20, 9, 1], ref_cycles_ns=[20, 9, 1],
            instructions_ns=[10, 9, 0], cache_misses_ns=[10, 0, 1]),
        rec("owner_stats", process=[1, 0], ns=[70, 1], packets=[2, 1], squares=[5, 0]),
        PEERS,
        rec("rx_fates", fate=[0, 1], cpu=[0, 2], ns=[71, -2], packets=[3, 1], squares=[5, 0], reason=["", "NO_SOCKET"],
            netdev=["", "eth0"], every=1),
        rec("probe", of=2, number=6, method="tracepoint", hooks=["tcp_probe"], reason=""),
        rec("latency", hook=6, cpu=2, ns=100, min_ns=40, max_ns=60, bucket=[39, 59], packets=[1, 1], unknown=1, other=2, old=3, merged=4, filtered=5, later=6),
        rec("latency_by", hook=6, by=2, which=0, ns=100, bucket=[39, 59], packets=[1, 1], netdev="eth0", netns=4026531840, ifindex=2,
            cgroup="/", cgroup_id=1, process="sh", pid=77, start_ns=5),
        rec("probe", of=4, number=0, method="off", hooks=["sched_switch"], reason="#91 sched_waking"),
        rec("latency_tail", hook=6, cpu=2, end_ns=1900, ns=60, what=[3, 1], reader=[1, 0], number=[1, None], name=["iperf3", ""],
            took_ns=[50, 10], queued_ns=10, queued_cpu=0, task="curl", span_share=[0, 1], span_ns=[50, 10],
            passed_hook=[0, 4], passed_ns=[2, 10], before=3),
        rec("latency_only", netdev="eth0", netns=4026531840, ifindex=2, cgroup="/system.slice", cgroup_id=77, pid=77, queue=2),
        rec("probe", of=3, number=1, method="tracepoint", hooks=["net_dev_start_xmit"], reason=""),
        rec("stages", base_ns=1500, dt=[0, 10], packet=[8, -3], stage=[1, 14], cpu=[2, 0], device=[1, 0], flow=[77, None],
            reason=[0, 1], netns=[4026531840], ifindex=[1], reasons=["QUEUE_PURGE"], every=1, packets=1, full=2, evicted=3,
            rule=[1, 0], hooks=["ip output"], tables=["nat"], names=["eth0"], flows=[77], protocol=[6],
            **{"from": ["192.0.2.1"]}, from_port=[40000], to=["192.0.2.2"], to_port=[80]),
        rec("samples", cpu=2, base_ns=1500, unit_ns=100, step=10, dt=[0, -1, 5], stack=[2, 0, 3],
            task=[2, 2, 1], cgroup=[2, 0, 1]),
        rec("tick", at_ns=2000, cpu=[0, 2], exact_ns=[2001, 2002]),
        rec("exact", event=0, ns=[1000, 900], **two), rec("exact", event=3, ns=[5, 100], packets=[0, 7], **two),
        rec("exact_loss", untracked=[0, 1], sends_outside=[2, 3], recvs_outside=[4, 5], sends_inside=[6, 7],
            recvs_inside=[8, 9], torn=1, parts_missed=[0, 1], polls_outside=[2, 0], offline_ns=[0, 11]),
        rec("exact_part", part=1, ns=[5, 0], total_ns=[9, 0], calls=[2, 0]),
        rec("sample_loss", written=[0, 3], lost=[0, 1], throttled=[0, 0], unsampled_ns=[0, 12], cut=[0, 1]),
        rec("procstat", user=[1, 2], nice=[0, 0], system=[3, 4], idle=[5, 6], iowait=[0, 0], irq=[0, 0],
            softirq=[1, 1], steal=[0, 0], guest=[0, 0], guest_nice=[0, 0], began_ns=2003, ended_ns=2040),
        rec("softnet", processed=[4294967295, 1], dropped=[0, 0], squeezed=[2, 0], began_ns=2040,
            ended_ns=2050),
        rec("netdev", id=1, name="lo", netns=1, **{"class": "loopback"}), rec("netdev", id=2, name="veth0", netns=2, driver="veth"),
        rec("netdev_stats", id=[2, 1], rx_packets=[1, 2], rx_bytes=[3, 4], rx_errors=[0, 0],
            rx_dropped=[0, 0], tx_packets=[5, 6], tx_bytes=[7, 8], tx_errors=[0, 0], tx_dropped=[0, 0],
            began_ns=2050, ended_ns=2090),
        rec("energy_zone", id=1, name="package-0", parent=0, unit_nj=1000, wrap=262143328850, state="measured",
            cpus=[0, 2]),
        rec("energy_zone", id=2, name="core", parent=1, unit_nj=1000, wrap=0, state="refused", why="#143 13"),
        rec("energy", read_ns=[3000, 3001], raw=[262143328850, None], error=[None, 13], began_ns=2990, ended_ns=3001),
        rec("self", user_us=10, system_us=20, maxrss_kib=4096, written=400, began_ns=2300, ended_ns=2301),
        rec("counter_names", first=1, name=["Tcp.RetransSegs", "Udp6InErrors"]),
        rec("counters", value=[7, None], began_ns=2100, ended_ns=2200),
        rec("softirqs", hi=[0, 0], timer=[1, 2], net_tx=[3, 4], net_rx=[4294967295, 0], block=[0, 0], irq_poll=[0, 0],
            tasklet=[0, None], sched=[5, 6], hrtimer=[0, 0], rcu=[7, 8], began_ns=2200, ended_ns=2201),
        rec("irq_stats", netdev=2, interrupts=[7, None], runs=[7, 0], ns=[900, None], began_ns=2200, ended_ns=2201),
        rec("drop_reasons", first=1, name=["NO_SOCKET", "NO_SOCKET", "OPENVSWITCH 3"], cpu=[0, 2, 2]),
        rec("drops", packets=[1, 20, 0], began_ns=2201, ended_ns=2201),
        rec("other_programs", first=1, name=["cil_from_netdev", ""], kind=["sched_cls", "tracing"],
            attached=["interface eth0 tc ingress", ""]),
        rec("other_stats", runs=[40, 0], run_ns=[9000, 0], unseen_ns=[0, 100], counted_ns=500, left_out=3),
        rec("program", id=1, name="sched_switch", entry_ps=20000, counted_ps=15000, statistics_ps=40000),
        rec("program", id=2, name="fentry_1", function="__sys_sendto"),
        rec("program_stats", runs=[10, None], run_ns=[520, None], recursion=[0, 3], missed=[None, 1],
            counted_ns=500),
        rec("mark", at_ns=4000, text="half-time"),
        rec("clock", mono_ns=5000, real_ns=1, boot_ns=6000, error_ns=9))
    offsets = [16, 16 + len(first.data)]
    last = data(
        frame(2, first_ns=0, last_ns=0, lost=[0, 1]),
        rec("index", offset=offsets, first_ns=[None, 1500], last_ns=[None, 5000], defines=[1, 1]),
        rec("end", frames=2, records=first.objects + second.objects + 2, samples=3, symbols=3, stacks=3,
            tasks=2, at_ns=5001, why="#1"))
    pieces = [Piece(MAGIC), first, second, last]
    return [*pieces, seek_table(pieces)]
