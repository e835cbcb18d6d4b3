# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of traces from before format 1.0, which are refused: SPEC.md, section 3.2."""
import json
import os

from pieces import MAGIC, MARK, Obj, Piece, bad, broken_in, data, frame, header, integer, obj, one, pack, trace, vector
from reader import DRAFTS

HERE = os.path.dirname(os.path.abspath(__file__))
STEP_NS = obj(10, [(2, pack(0)), (9, pack(1001001))])  # of SAMPLES


def recorded():
    """A file that such a netcost wrote, and what is read of it: all before the first frame with a TICK."""
    with open(os.path.join(HERE, "draft-real.nct"), "rb") as trace_, \
            open(os.path.join(HERE, "draft-real.json"), encoding="utf-8") as rows:
        return [Piece(trace_.read(), map(json.loads, rows))]


def make():
    def put(name, shows, pieces, kind="version"):
        vector("draft-" + name, kind, shows, pieces)

    for (kind, key), what in DRAFTS.items():
        put(f"{kind}-{key}" if key else str(kind), what,
            broken_in(MARK[1], obj(kind, [(1, pack(0)), (key, pack(1))] if key else []), Obj(MARK[2].data)))
    put("real", "a trace that was recorded before version 1.0", recorded())
    put("kind", "a key of drafts, whatever its value", broken_in(obj(10, [(9, b"\xc1")])))
    put("after", "a key of drafts before what breaks a rule", broken_in(STEP_NS, Obj(b"\xc1")))
    put("before", "what breaks a rule before a key of drafts", broken_in(Obj(b"\xc1"), STEP_NS), "damaged")
    put("keys", "keys that fall before a key of drafts", broken_in(obj(11, [(3, pack([])), (2, pack([])), (4, pack(1))])),
        "damaged")
    put("long", "a type of drafts in a long encoding", broken_in(Obj(b"\x92" + integer(28, 0xd3) + b"\x80")))
    put("header", "a record of drafts where HEADER must be", [Piece(MAGIC), bad(obj(28, []))])
    put("frame", "a record of drafts where FRAME must be", [*trace(end=False, table=False), bad(STEP_NS)])
    put("second", "a second part of a draft", [
        *trace(one(1), table=False), Piece(MAGIC), bad(header(), STEP_NS), *(Piece(p.data) for p in trace(one(1))[2:])])
    put("end", "a type of drafts after END", [*trace(one(1), table=False), bad(obj(28, []))], "damaged")
    put("none", "numbers of drafts in records of later versions",
        trace(data(frame(1), obj(99, [(9, b"\x01"), (28, b"\x01")]), MARK[1])), "ok")
