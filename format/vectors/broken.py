# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of truncated, damaged or hostile traces, and of files that are not traces."""
import struct

from pieces import (HEAD, MAGIC, MARK, MIB8, U63, U64, Obj, Piece, bad, broken_in, cut, data, frame, header,
                    hint, integer, junk, large, magic_of, obj, one, rec, seek_table, trace, vector, wrong,
                    zstd)


def incomplete():
    whole = trace(one(1), one(2), end=False, table=False)
    ended = trace(one(1), table=False)
    table = seek_table(ended)

    def put(name, kind, shows, pieces):
        vector("cut-" + name, kind, shows, pieces)

    put("empty", "empty", "a file without a byte", [])
    put("magic-1", "empty", "one byte", [Piece(MAGIC[:1])])
    put("magic", "empty", "within the magic", [Piece(MAGIC[:9])])
    put("after-magic", "empty", "after the magic", [Piece(MAGIC)])
    put("no-data", "empty", "hints only, the magic and an empty seek table",
        [Piece(MAGIC), seek_table([Piece(MAGIC)])])
    put("first-hint", "empty", "within a skippable frame before HEADER's",
        [Piece(MAGIC), Piece(hint(b"hint").data[:10])])
    put("first-start", "empty", "within the magic number of the first frame", [Piece(MAGIC), Piece(HEAD.data[:2])])
    put("magic-15", "empty", "before the last byte of the magic", [Piece(MAGIC[:15])])
    put("first", "empty", "within HEADER's frame", [Piece(MAGIC), Piece(HEAD.data[:-5])])
    put("first-checksum", "empty", "within the checksum of HEADER's frame",
        [Piece(MAGIC), Piece(HEAD.data[:-1])])
    put("after-first", "cut", "after HEADER's frame", [Piece(MAGIC), HEAD])
    put("middle", "cut", "within a later frame", cut(whole, 20))
    put("middle-start", "cut", "within the magic number of a later frame", cut(whole, 3))
    put("middle-head", "cut", "within the header of a later frame", cut(whole, 5))
    put("middle-block", "cut", "within the header of a block", cut(whole, 8))
    put("middle-checksum", "cut", "within the checksum of a later frame", cut(whole, len(whole[-1].data) - 1))
    put("between", "cut", "between frames", whole)
    put("middle-hint", "cut", "within a skippable frame between frames",
        [*whole, Piece(hint(b"hint").data[:9])])
    put("middle-hint-start", "cut", "within the magic number of a skippable frame",
        [*whole, Piece(b"\x5e\x2a")])
    put("end", "cut", "within END's frame", cut(ended, len(ended[-1].data) - 9))
    put("seek-table", "cut", "within the seek table", [*ended, Piece(table.data[:-1])])
    put("seek-table-start", "cut", "within the seek table's magic number", [*ended, Piece(table.data[:3])])
    put("seek-table-size", "cut", "within the seek table's length", [*ended, Piece(table.data[:6])])
    put("no-end", "cut", "no END, but a seek table", trace(one(1), end=False))
    put("hint-4g", "cut", "a skippable frame of 4 GiB after END that is not there", [
        *ended, Piece(struct.pack("<II", 0x184d2a50, 0xffffffff) + b"x" * 100)])
    put("hint-4g-middle", "cut", "a skippable frame of 4 GiB between frames that is not there", [
        *whole, Piece(struct.pack("<II", 0x184d2a5f, 0xffffffff) + one(3).data)])
    put("hint-swallows", "cut", "a skippable frame that is longer than it was takes the frames after it", [
        Piece(MAGIC), HEAD, Piece(hint(b"hi").data[:4] + b"\xff\xff\0\0hi"), Piece(one(1).data)])


def no_trace():
    def put(name, shows, pieces, kind="no-trace"):
        if kind == "no-trace" and pieces[0].data == MAGIC:
            kind = "damaged"  # "not a trace" is what is wrong at byte 0
        vector("no-" + name, kind, shows, pieces)

    put("text", "a text", [junk(b"#!/bin/sh\necho not a trace\n")])
    put("text-short", "three bytes that begin no frame", [junk(b"abc")])
    put("zeros", "zeros", [junk(bytes(4096))])
    put("zstd-text", "a text, compressed", [Piece(zstd(b"Dear Sir or Madam, "))])
    put("zstd-msgpack", "other msgpack, compressed", [Piece(zstd(b"\x81\xa3foo\xa3bar"))])
    put("header", "begins with FRAME", [Piece(MAGIC), bad(frame(1), MARK[1]), Piece(one(2).data)])
    put("header-first", "HEADER is not the first object", [Piece(MAGIC), bad(MARK[1], header())])
    put("header-unknown", "an unknown type before HEADER", [bad(obj(99, []), header())])
    put("checksum", "HEADER's frame has no checksum", [Piece(MAGIC), bad(header(), checksum=b"")])
    put("checksum-bad", "HEADER's frame has a wrong checksum",
        [Piece(MAGIC), bad(header(), checksum=b"\0\0\0\0")])
    put("frame-in-first", "FRAME in HEADER's frame",
        [Piece(MAGIC), bad(header(), frame(1)), Piece(one(1).data)])
    put("header-twice", "HEADER twice in one frame", [Piece(MAGIC), bad(header(), header())])
    put("header-kind", "HEADER's major is a text", [Piece(MAGIC), bad(wrong("header", "major", b"\xa11"))])
    put("header-kind-later", "a later key of HEADER is of another kind", [Piece(MAGIC), bad(
        header([(4, b"\x01")], minor=0))])
    put("header-broken", "HEADER's frame ends within an object", [bad(header(), Obj(b"\x92\x16"))])
    put("legacy", "a frame of zstd before its format was fixed", [bad(header(), magic=b"\x27\xb5\x2f\xfd")])
    put("gzip", "gzip's magic number", [junk(bytes.fromhex("1f8b0800000000000003030000000000000000000000"))])
    put("magic-text", "the magic, and a text after it", [Piece(MAGIC), junk(b"hello, world")])

    put("magic", "without the magic", [Piece(HEAD.data), Piece(one(1).data)])
    put("magic-after-hint", "a skippable frame before the magic", [hint(b"before"), *(Piece(p.data) for p in trace(one(1)))])
    put("magic-name", "the magic with another name", [Piece(MAGIC.replace(b"netcost", b"netCost")), Piece(HEAD.data)])
    put("magic-alone", "a skippable frame between the magic and HEADER's frame",
        [Piece(MAGIC), hint(b"between"), Piece(HEAD.data), Piece(one(1).data)])
    put("major-other", "HEADER's major is not the magic's", [Piece(MAGIC), bad(rec("header", major=2))])
    put("major-missing", "HEADER without major", [Piece(MAGIC), bad(rec("header", minor=0, tool="x"))])
    put("major-empty", "HEADER without a key", [Piece(MAGIC), bad(rec("header"))])
    put("requires-short", "requires something unknown, and the end of the frame after it",
        [Piece(MAGIC), bad(Obj(b"\x92\x01\x83\x01\x01\x03\x91\xa1x"))])
    put("requires-kinds", "requires something unknown, and another key has another kind",
        [Piece(MAGIC), bad(Obj(header([(4, b"\x01")], requires=["x"]).data))])

    def version(name, shows, *pieces):
        put(name, shows, pieces, "version")

    version("major-2", "major version 2, and after the magic what a reader of version 1 understands", magic_of(2),
            bad(rec("header", major=2)), Piece(one(1).data))
    version("major-0", "major version 0, and nothing after the magic", magic_of(0))
    version("major-255", "major version 255, and bytes that begin no frame after the magic", magic_of(255), junk(b"\xff" * 40))
    version("requires", "requires something unknown", Piece(MAGIC), bad(header(minor=9, requires=["columns-of-floats"])))
    version("requires-empty", "requires something that is an empty text", Piece(MAGIC), bad(header(requires=[""])))
    version("requires-many", "requires many things", Piece(MAGIC), bad(header(requires=["a", "b"] * 40)))
    version("requires-after", "requires something unknown, and no object after HEADER in its frame", Piece(MAGIC),
            bad(header(requires=["x"]), Obj(b"\xc1")))


def hostile_container():
    def put(name, shows, *pieces, kind="damaged"):
        vector(name, kind, shows, [*trace(one(1), end=False, table=False), *pieces])

    good = (frame(2), MARK[2])
    more = Piece(one(3).data)
    put("checksum-bad", "a wrong checksum", bad(*good, checksum=b"\x01\x02\x03\x04"), more)
    put("checksum-none", "no checksum", bad(*good, checksum=b""), more)
    flipped = bytearray(data(*good).data)
    flipped[-6] ^= 1
    put("content-flipped", "one bit of the content is flipped", Piece(bytes(flipped)), more)
    put("size-none", "no content size", bad(*good, flag=0, window=0), more)
    put("size-zero", "content of 0 bytes", bad(blocks=[(0, 0, b"")]), more)
    put("size-small", "more content than its size says", bad(*good, size=7), more)
    put("size-large", "less content than its size says", bad(*good, size=200), more)
    put("size-max", "a content size of 2^64 - 1", bad(*good, size=2 ** 64 - 1, flag=3), more)
    put("size-8m-lie", "a content size of 8 MiB that is not true", bad(*good, size=MIB8), more)
    for width, flag in (1, 1), (2, 2), (4, 3):
        put(f"dictionary-{width}", f"a dictionary id of {width} bytes",
            bad(*good, flag=2, descriptor=flag, dictionary=b"\x05" + bytes(width - 1)), more)
    put("dictionary-zero", "a dictionary id of 0", bad(*good, flag=2, descriptor=1, dictionary=b"\0"), more)
    put("reserved-bit", "the reserved bit of zstd's frame header", bad(*good, descriptor=8), more)
    put("block-reserved", "a block of the reserved type", bad(*good, blocks=[(3, 0, b"")]), more)
    put("block-over", "an RLE block of 128 KiB and a byte",
        bad(*good, size=(1 << 17) + 1, blocks=[(1, (1 << 17) + 1, b"\0")]), more)
    put("window-over", "a window of more than 128 MiB", bad(*good, flag=2, window=0x89), more)
    put("window-max", "a window of 3.75 TiB, the largest that zstd has",
        bad(*good, flag=2, window=0xff), more)
    put("block-garbage", "a compressed block with invalid content", bad(*good, blocks=[(2, 9, b"\xff" * 9)]), more)
    nine = rec("mark", [(3, b"\xc6" + (9 << 20).to_bytes(4, "big") + bytes(9 << 20))])
    put("frame-9m", "content of 9 MiB", bad(frame(2), nine), more)
    over = MIB8 + 1 - len(frame(2).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))]).data)
    put("frame-over", "content of 8 MiB and a byte",
        bad(frame(2), rec("mark", [(3, b"\xc6" + over.to_bytes(4, "big") + bytes(over))])), more)
    put("bomb-rle", "content of 1 GiB where the size says 100 bytes",
        bad(*good, size=100, blocks=[(1, 1 << 17, b"\0")] * 8192), more)
    put("bomb-rle-8m", "content of 1 GiB where the size says 8 MiB",
        bad(*good, size=MIB8, blocks=[(1, 1 << 17, b"\0")] * 8192), more)
    put("garbage-between", "bytes that begin no frame between frames", junk(b"garbage!"), Piece(one(2).data))
    put("garbage-one", "one byte that begins no frame at the end", junk(b"\x51\0"))
    put("legacy-frame", "a frame of zstd before its format was fixed", bad(*good, magic=b"\x27\xb5\x2f\xfd"))
    ended = trace(one(1))
    for name, shows, tail in (
            ("after-end", "a frame after END", one(3).data),
            ("after-end-text", "a text after END", b"and that is all"),
            ("after-end-zeros", "zeros after END", bytes(512)),
            ("after-end-1", "a byte after END that begins no frame", b"\x27"),
            ("after-end-2", "two bytes after END that begin no frame", b"\x28\xb4"),
            ("after-end-3", "three bytes after END that begin no frame", b"\x5f\x2a\x4e"),
            ("after-end-broken", "a frame after END with a wrong checksum", one(3).data[:-1] + b"\0")):
        vector(name, "damaged", shows, [*ended, Piece(tail)])


def cut_or_damaged():
    """The first problem counts: the end of the file, or an error."""
    before = trace(one(1), end=False, table=False)
    good = data(frame(2), MARK[2])
    magic = good.data[:4]

    def put(name, kind, shows, tail):
        vector("sooner-" + name, kind, shows, [*before, Piece(tail)])

    put("flags", "damaged", "no checksum, which the last byte says", magic + b"\x20")
    put("flags-dictionary", "damaged", "a dictionary, and the end before its id", magic + b"\x25")
    put("window", "cut", "a window of 256 MiB, and the end before the content's size",
        magic + b"\x84\x90\x09\0")
    put("window-whole", "damaged", "a window of 256 MiB, and the end after the content's size",
        magic + b"\x84\x90\x09\0\0\0")
    put("size", "damaged", "content of 9 MiB, and the end after its size", magic + b"\xa4\0\0\x90\0")
    put("size-zero", "damaged", "content of 0 bytes, and the end after its size", magic + b"\x24\0")
    put("size-cut", "cut", "the end within the content's size", magic + b"\xa4\0\0\x90")
    put("block", "damaged", "a block of the reserved type, and the end after its header",
        magic + b"\x24\x09\x06\0\0")
    put("block-cut", "cut", "the end within the header of a block of the reserved type",
        magic + b"\x24\x09\x06\0")
    put("block-large", "damaged", "a block of 200 000 bytes, and the end after its header",
        magic + b"\xa4\0\0\x10\0" + (200000 << 3).to_bytes(3, "little"))
    put("content", "cut", "an object that breaks a rule, and the end before the checksum's",
        data(frame(2), Obj(b"\xc1")).data[:-1])
    put("blocks-more", "cut", "more content than the header says, and the end before the last block",
        zstd(good.data, size=3, blocks=[(0, 9, bytes(9)), (0, 9, bytes(9))])[:20])
    put("checksum", "damaged", "the last frame has a wrong checksum", good.data[:-1] + b"\0")
    ended = trace(one(1), table=False)
    for n, tail in (1, b"\x28"), (2, b"\x28\xb5"), (3, b"\x28\xb5\x2f"), (3, b"\x51\x2a\x4d"):
        name = f"sooner-tail-{n}" + "-hint" * (tail[0] == 0x51)
        vector(name, "cut", f"{n} bytes after END that can begin a frame", [*ended, Piece(tail)])
    vector("after-end-cut", "cut", "a frame that is cut after END",
           [*trace(one(1)), Piece(one(3).data[:9])])
    vector("no-flags", "no-trace", "at byte 0 a frame without a checksum, which ends with its flags",
           [Piece(magic + b"\x20")])
    vector("no-flags-after-magic", "damaged",
           "after the magic a frame without a checksum, which ends with its flags",
           [Piece(MAGIC), Piece(magic + b"\x20")])


def hostile_objects():
    def put(name, shows, *objects):
        vector(name, "damaged", shows, broken_in(*objects))

    def raw(name, shows, bytes_):
        put(name, shows, Obj(bytes_))

    # Lengths that lie.
    huge = b"\xff\xff\xff\xff"
    for name, first in (("array", b"\xdd"), ("map", b"\xdf"), ("str", b"\xdb"), ("bin", b"\xc6"),
                        ("ext", b"\xc9")):
        put(f"huge-{name}-unknown", f"a {name} of 2^32 - 1 after an unknown key",
            obj(22, [(9, first + huge + b"\x01" * 40)]))
        put(f"huge-{name}-type", f"a {name} of 2^32 - 1 in an unknown type", obj(99, [(1, first + huge)]))
    put("huge-str", "a string of 2^32 - 1 bytes", wrong("mark", "text", b"\xdb" + huge + b"abc"))
    put("huge-uints", "a column of 2^32 - 1 integers", wrong("tick", "cpu", b"\xdd" + huge + b"\x01" * 99))
    put("huge-ints", "a column of 2^32 - 1 signed integers",
        wrong("samples", "dt", b"\xdd" + huge + b"\x01" * 99))
    put("huge-strs", "a column of 2^32 - 1 strings", wrong("probe", "hooks", b"\xdd" + huge + b"\xa0" * 99))
    raw("huge-object", "an object that is an array of 2^32 - 1", b"\xdd" + huge + b"\x16\x80")
    raw("huge-object-map", "an object with 2^32 - 1 keys", b"\x92\x16\xdf" + huge + b"\x01\x01")
    put("bomb-arrays", "arrays of 2^32 - 1 in each other", obj(22, [(9, (b"\xdd" + huge) * 5000)]))
    put("bomb-arrays-16", "arrays of 65535 in each other, 8 deep, all of the 8 MiB there", Obj(
        b"\x92\x16\x81\x09" + b"\xdc\xff\xff" * 8 + b"\x90" * 8000000))
    put("bomb-depth", "100 000 arrays in each other", obj(22, [(9, b"\x91" * 100000 + b"\x01")]))
    put("bomb-depth-maps", "9 000 maps in each other", obj(99, [(1, b"\x81\x01" * 9000 + b"\x01")]))
    put("depth-9", "arrays 9 deep", obj(22, [(9, b"\x91" * 9 + b"\x01")]))
    put("depth-9-empty", "an empty array 9 deep", obj(22, [(9, b"\x91" * 8 + b"\x90")]))
    put("depth-9-map", "maps 9 deep, in an unknown type", obj(99, [(1, b"\x81\xc0" * 9 + b"\x01")]))
    put("depth-9-key", "a map whose key is nested 9 deep", obj(99, [(1, b"\x81" * 9 + b"\x01" * 10)]))
    many = 8000000
    put("column-8m", "a column of 8 million integers, and a wrong kind after it",
        obj(11, [(2, b"\xdd" + many.to_bytes(4, "big") + bytes(many)), (3, b"\xc3")]))
    put("columns-8m", "eight columns of a million integers, and a wrong kind after them",
        obj(15, [(k, b"\xdd\0\x0f\x42\x40" + b"\x01" * 1000000) for k in range(1, 9)] + [(9, b"\xc3")]))
    put("strings-8m", "a column of 8 million empty strings, and a wrong kind after it",
        obj(5, [(3, b"\xdd" + many.to_bytes(4, "big") + b"\xa0" * many), (4, b"\xc3")]))
    # Limits.
    put("string-over", "a string of 4097 bytes", rec("mark", text="x" * 4097))
    put("string-over-column", "a string of 4097 bytes in a column", rec("probe", hooks=["a", "x" * 4097]))
    put("fields-over", "an object of 65 keys", obj(22, [(k, b"\x00") for k in range(3, 68)]))
    put("fields-over-unknown", "an object of an unknown type with 65 keys",
        obj(99, [(k, b"\xc0") for k in range(1, 66)]))
    # Keys.
    for name, shows, kind in ("", "", 22), ("-unknown", " of an unknown type", 99):
        put("keys-falling" + name, "keys that fall" + shows, obj(kind, [(4, b"\x01"), (3, b"\x01")]))
        put("keys-twice" + name, "a key twice" + shows, obj(kind, [(3, b"\x01"), (3, b"\x01")]))
        put("key-zero" + name, "key 0" + shows, obj(kind, [(0, b"\x01")]))
        put("key-negative" + name, "key -1" + shows, obj(kind, [(-1, b"\x01")]))
    put("keys-twice-known", "a known key twice", obj(22, [(1, b"\x01"), (1, b"\x01")]))
    put("keys-falling-known", "known keys that fall", obj(22, [(2, b"\xa0"), (1, b"\x01")]))
    for name, key in (("str", b"\xa11"), ("float", b"\xca\x3f\x80\0\0"), ("bool", b"\xc3"), ("nil", b"\xc0"),
                      ("bin", b"\xc4\x011"), ("ext", b"\xd4\x01\x01"), ("array", b"\x91\x01")):
        raw(f"key-{name}", f"a key that is a {name}", b"\x92\x16\x81" + key + b"\x01")
    # Kinds.
    floats = (("float", b"\xca\x3f\x80\0\0"), ("double", b"\xcb\x3f\xf0" + bytes(6)), ("bool", b"\xc3"),
              ("ext", b"\xd4\x01\x01"), ("bin", b"\xc4\x01\x01"))
    for name, value in (*floats, ("str", b"\xa11"), ("nil", b"\xc0"), ("negative", b"\xff"),
                        ("array", b"\x91\x01"), ("map", b"\x80"), ("2p63", integer(2 ** 63)),
                        ("2p64", integer(U64)), ("min", integer(-2 ** 63))):
        put(f"uint-{name}", f"a UINT that is a wrong value: {name}", wrong("mark", "at_ns", value))
        if name != "array":
            put(f"uints-{name}", f"a UINTS with a wrong element: {name}" if name != "nil" else
                "a UINTS that is nil as a whole",
                wrong("tick", "cpu", value if name == "nil" else b"\x92\x01" + value))
    put("uints-scalar", "a UINTS that is an integer", wrong("tick", "cpu", b"\x01"))
    put("uints-nested", "a UINTS of arrays", wrong("tick", "cpu", b"\x91\x91\x01"))
    for name, value in (*floats, ("nil", b"\xc0"), ("str", b"\xa11"), ("over", integer(2 ** 62 + 1)),
                        ("under", integer(-2 ** 62 - 1)), ("u64", integer(2 ** 64 - 1)),
                        ("min", integer(-2 ** 63))):
        put(f"ints-{name}", f"an INTS with a wrong element: {name}",
            wrong("samples", "dt", b"\x92\x01" + value))
    put("ints-scalar", "an INTS that is an integer", wrong("samples", "dt", b"\x01"))
    put("ints-map", "an INTS that is a map", wrong("samples", "dt", b"\x81\x01\x01"))
    for name, value in (*floats, ("nil", b"\xc0"), ("int", b"\x01"), ("array", b"\x91\xa1x")):
        put(f"str-{name}", f"a STR that is a wrong value: {name}", wrong("mark", "text", value))
        if name != "array":
            put(f"strs-{name}", f"a STRS with a wrong element: {name}",
                wrong("probe", "hooks", b"\x92\xa1x" + value))
    put("ints-nil-whole", "an INTS that is nil as a whole", wrong("samples", "dt", b"\xc0"))
    put("strs-nil-whole", "a STRS that is nil as a whole", wrong("probe", "hooks", b"\xc0"))
    put("strs-scalar", "a STRS that is a string", wrong("probe", "hooks", b"\xa1x"))
    put("kind-late", "a wrong kind in the last object of a frame: none of it is given", MARK[1], MARK[2],
        wrong("mark", "at_ns", b"\xa0"))
    # Objects.
    raw("object-3", "an object that is an array of three", b"\x93\x16\x80\x80")
    raw("object-1", "an object that is an array of one", b"\x91\x16")
    raw("object-0", "an object that is an empty array", b"\x90")
    raw("object-int", "an object that is an integer, after a good one", MARK[1].data + b"\x00")
    raw("object-nil", "an object that is nil", b"\xc0")
    raw("object-map", "an object that is a map", b"\x82\x16\x80\x01\x80")
    raw("object-str", "an object that is a text", b"\xa2hi")
    raw("object-no-map", "an object whose second part is an array", b"\x92\x16\x92\x01\x01")
    raw("object-nil-map", "an object whose second part is nil", b"\x92\x16\xc0")
    raw("object-no-map-unknown", "an object of an unknown type whose second part is an integer",
        b"\x92\x63\x01")
    raw("object-c1", "a byte that msgpack does not use, as an object", b"\xc1")
    raw("value-c1", "a byte that msgpack does not use, after an unknown key", b"\x92\x16\x81\x09\xc1")
    raw("value-c1-nested", "a byte that msgpack does not use, in an unknown type",
        b"\x92\x63\x81\x09\x92\x01\xc1")
    raw("type-negative", "type -1", b"\x92\xff\x80")
    raw("type-str", "a type that is a text", b"\x92\xa4mark\x80")
    raw("type-float", "a type that is a float", b"\x92\xca\x41\xb0\0\0\x80")
    raw("type-nil", "a type that is nil", b"\x92\xc0\x80")
    raw("ends-in-map", "a map with a missing value", b"\x92\x16\x82\x01\x01\x02")
    raw("ends-in-pairs", "a map with a missing pair", b"\x92\x16\x82\x01\x01")
    raw("ends-in-array", "an object without its map", b"\x92\x16")
    raw("ends-in-integer", "ends within an integer", b"\x92\x16\x81\x01\xcf\0\0")
    raw("ends-in-head", "ends within the length of a string", b"\x92\x16\x81\x02\xda\0")
    raw("ends-in-string", "ends within a string", b"\x92\x16\x81\x02\xa3ab")
    raw("ends-in-column", "ends within a column", b"\x92\x0b\x81\x02\x93\x01\x02")
    raw("ends-in-unknown", "ends within a value that is skipped", b"\x92\x16\x81\x09\xc7\x05\x01abcd")
    vector("crosses", "damaged", "an object that goes on in the next frame",
           [*trace(one(1), end=False, table=False), bad(frame(2), Obj(MARK[1].data[:6])),
            Piece(zstd(MARK[1].data[6:] + frame(3).data))])
    # Order.
    put("header-again", "HEADER in a later frame", header())
    put("frame-again", "FRAME twice in a frame", frame(2))
    put("frame-again-next", "two frames' objects in one", MARK[1], frame(3))
    put("after-end-object", "an object after END in its frame", rec("end"), MARK[1])
    put("after-end-unknown", "an object of an unknown type after END", rec("end"), obj(99, []))
    put("end-twice", "END twice", rec("end"), rec("end"))
    before = trace(one(1), end=False, table=False)
    tail = Piece(one(3).data)
    for name, shows, objects in (
            ("header-opens", "HEADER instead of FRAME", [header(), MARK[1]]),
            ("frame-missing", "a later frame without FRAME", [MARK[1]]),
            ("frame-missing-unknown", "an unknown type instead of FRAME", [obj(99, []), MARK[1]]),
            ("frame-second", "FRAME is the second object", [MARK[1], frame(2)]),
            ("frame-end", "END without FRAME", [rec("end")]),
            ("seq-missing", "FRAME without seq", [rec("frame", first_ns=0, last_ns=0)]),
            ("seq-gap", "seq 3 after 1", [frame(3), MARK[1]]),
            ("seq-repeat", "seq 1 after 1", [frame(1), MARK[1]]),
            ("seq-zero", "seq 0", [frame(0)]),
            ("seq-max", "the largest seq", [frame(U63)]),
            ("seq-kind", "seq is a text", [Obj(b"\x92\x02\x81\x01\xa12")])):
        vector(name, "damaged", shows, [*before, bad(*objects), tail])
    vector("seq-two", "damaged", "seq begins with 2", [Piece(MAGIC), HEAD, bad(frame(2)), tail])
    vector("seq-from-zero", "damaged", "seq begins with 0",
           [Piece(MAGIC), HEAD, bad(frame(0)), Piece(one(1).data)])
    vector("first-damaged-only", "damaged", "the only frame after HEADER's is damaged",
           [Piece(MAGIC), HEAD, bad(frame(1), Obj(b"\xc1"))])


def content():
    """Rules of section 4; more in content.py."""
    def put(name, shows, *objects):
        vector("content-" + name, "content", shows, trace(one(1), data(frame(2), *objects)))

    syms = rec("symbols", first=1, name=["f"], module=[0], offset=[0])
    put("symbol-undefined", "a stack of a symbol that is not defined",
        rec("stacks", first=1, up=[1], symbol=[1]))
    put("stack-undefined", "a sample of a stack that is not defined",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[1], task=[0]))
    put("task-undefined", "a sample of a task that is not defined",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[0], task=[1]))
    put("module-undefined", "a symbol of a module that is not defined",
        rec("symbols", first=1, name=["f"], module=[1], offset=[0]))
    put("netdev-undefined", "counters of an interface that is not defined",
        rec("tick", cpu=[]), rec("netdev_stats", id=[1], rx_bytes=[1]))
    put("ids-gap", "ids that are not dense", rec("symbols", first=2, name=["f"], module=[0], offset=[0]))
    put("ids-again", "ids that are defined again", syms, syms)
    put("ids-missing", "a defining record without its first",
        rec("symbols", name=["f"], module=[0], offset=[0]))
    put("ids-max", "an id beyond the limit", rec("module", id=67108864, name="x"))
    put("columns-symbols", "columns of unequal length",
        rec("symbols", first=1, name=["f", "g"], module=[0], offset=[0]))
    put("columns-samples", "a column of SAMPLES is missing",
        rec("samples", cpu=0, base_ns=0, unit_ns=1, step=0, dt=[0], stack=[0]))
    put("columns-context", "settings of which one has no value",
        rec("context", at_ns=1, subject=["cpu", "cpu"], name=["smt", "boost"], value=["on"], why=["", ""]))
    put("columns-tick", "a per-CPU column of another length than TICK's",
        rec("tick", at_ns=0, cpu=[0, 1]), rec("exact", event=1, ns=[1]))
    put("columns-energy", "more energy counters than zones", rec("energy_zone", id=1), rec("tick", cpu=[]),
        rec("energy", read_ns=[0, 0], raw=[1, 2]))
    put("columns-programs", "counters of more programs than there are", rec("program", id=1), rec("tick", cpu=[]),
        rec("program_stats", recursion=[0, 0]))
    put("columns-counters", "values of more protocol counters than there are",
        rec("counter_names", first=1, name=["Tcp.InSegs"]), rec("tick", cpu=[]), rec("counters", value=[0, 0]))
    put("columns-drops", "values of more drop counters than there are",
        rec("drop_reasons", first=1, name=["NO_SOCKET"], cpu=[0]), rec("tick", cpu=[]), rec("drops", packets=[1, 1]))
    put("columns-drop-reasons", "drop counters without a CPU", rec("drop_reasons", first=1, name=["NO_SOCKET"], cpu=[]))
    other = rec("other_programs", first=1, name=["lb"], kind=["xdp"], attached=[""])
    put("columns-others", "counters of more other programs than there are", other, rec("tick", cpu=[]),
        rec("other_stats", runs=[0, 0], run_ns=[0, 0], unseen_ns=[0, 0], counted_ns=0))
    put("columns-other-stats", "other programs of which one has no time", other, rec("tick", cpu=[]),
        rec("other_stats", runs=[0], run_ns=[], unseen_ns=[0], counted_ns=0))
    put("columns-other-programs", "an other program without a type",
        rec("other_programs", first=1, name=["lb"], kind=[], attached=[""]))
    put("netdev-undefined-irqs", "interrupts of an interface that is not defined",
        rec("tick", cpu=[0]), rec("irq_stats", netdev=1, interrupts=[1]))
    put("columns-irqs", "interrupts of more CPUs than TICK has", rec("netdev", id=1), rec("tick", cpu=[0]),
        rec("irq_stats", netdev=1, interrupts=[1, 2]))
    put("columns-softirqs", "softirqs of more CPUs than TICK has", rec("tick", cpu=[0]), rec("softirqs", net_rx=[1, 2]))
    put("cpu-limit-drops", "a drop counter of a CPU beyond the limit",
        rec("drop_reasons", first=1, name=["NO_SOCKET"], cpu=[8192]))
    put("ended-before-began", "a reading that ended before it began", rec("tick", cpu=[]),
        rec("self", user_us=1, began_ns=5, ended_ns=4))
    for kind, fields in (("exact", {"event": 1, "ns": [1]}), ("exact_loss", {"torn": 1}), ("exact_part", {"part": 1}),
                         ("sample_loss", {"lost": [1]}), ("procstat", {"user": []}), ("softnet", {}),
                         ("netdev_stats", {"id": []}), ("energy", {"read_ns": [], "raw": []}),
                         ("self", {"user_us": 1}), ("program_stats", {"recursion": []}),
                         ("counters", {"value": []}), ("softirqs", {}), ("irq_stats", {"netdev": 1, "interrupts": []}), ("drops", {"packets": []}),
                         ("other_stats", {"runs": [], "run_ns": [], "unseen_ns": [], "counted_ns": 0})):
        name = "no-tick" if kind == "exact" else "no-tick-" + kind.replace("_", "-")
        put(name, f"counters without a TICK: {kind.upper()}", rec(kind, **fields))
    put("up-zero", "a stack on itself", syms, rec("stacks", first=1, up=[0], symbol=[1]))
    put("up-over", "a stack on one before the first", syms, rec("stacks", first=1, up=[2], symbol=[1]))
    put("stack-128", "a stack of 128 functions", syms, rec("stacks", first=1, up=[1] * 128, symbol=[1] * 128))
    put("cpu-limit", "a CPU number beyond the limit", rec("tick", at_ns=0, cpu=[8192]))
    put("cpu-twice", "a CPU twice in a tick", rec("tick", at_ns=0, cpu=[1, 1]))


    ticks = [rec("tick", at_ns=100, cpu=[0, 3], exact_ns=[100, 200]), rec("exact", event=0, ns=[10, 0]),
             rec("exact", event=6, ns=[1, 50])]
    put("exact-sums", "events and offline time that sum to less than the time that passed", *ticks,
        rec("exact_loss", offline_ns=[0, 0]), rec("tick", at_ns=200, cpu=[3, 0], exact_ns=[300, 200]),
        rec("exact", event=6, ns=[149, 1]), rec("exact", event=0, ns=[0, 110]), rec("exact_loss", offline_ns=[0, 0]))
    put("exact-over", "events that sum to more than the time that passed", *ticks,
        rec("tick", at_ns=200, cpu=[0, 3], exact_ns=[200, 300]), rec("exact", event=0, ns=[110, 100]),
        rec("exact", event=6, ns=[1, 51]))
    received = [rec("tick", at_ns=100, cpu=[0, 3], exact_ns=[100, 200]), rec("exact", event=6, ns=[10, 20]),
                rec("exact", event=8, ns=[5, 0]), rec("tick", at_ns=200, cpu=[3, 0], exact_ns=[300, 200]),
                rec("exact", event=6, ns=[120, 40]), rec("exact", event=8, ns=[0, 6])]
    fates = dict(fate=[0, 7, 3], cpu=[3, 3, 0], packets=[4, 0, 0])
    put("fates-sums", "the RX fates of a CPU have less time than its receiving", *received,
        rec("rx_fates", ns=[110, -11, 31], **fates))
    vector("fates-sums-torn", "ok", "the RX fates of a CPU have less time than its receiving, but a reading of that tick is torn",
           trace(data(frame(1), *received, rec("exact_loss", torn=1), rec("rx_fates", ns=[110, -11, 31], **fates))))
    vector("fates-sums-good", "ok", "all of that time, one of the fates being below 0",
           trace(data(frame(1), *received, rec("rx_fates", ns=[111, -11, 31], **fates))))
    put("fates-without-exact-ns", "the RX fates of a CPU have less time than its receiving, in ticks without exact_ns", rec("tick", at_ns=100, cpu=[0, 3]), *received[1:3],
        rec("tick", at_ns=200, cpu=[3, 0]), *received[4:], rec("rx_fates", ns=[110, -11, 31], **fates))
    vector("fates-other-frame", "ok", "the RX fates of a CPU have less time, in a frame without their TICK: not judged",
           trace(data(frame(1), *received), data(frame(2), rec("rx_fates", ns=[110, -11, 31], **fates))))
    vector("content-fates-two-frames", "content", "all of that time, but a part of it in the next frame",
           trace(data(frame(1), *received, rec("rx_fates", fate=[0], cpu=[3], ns=[110], packets=[4])),
                 data(frame(2), rec("rx_fates", fate=[7], cpu=[3], ns=[-10], packets=[0]))))
    vector("fates-one-event", "ok", "all of that time, where rx_thread was not counted",
           trace(data(frame(1), *received[:2], *received[3:5], rec("rx_fates", fate=[0, 0], cpu=[3, 0], ns=[100, 30], packets=[1, 1]))))
    vector("fates-event-begins", "ok", "rx_thread was counted at the second tick only: nothing is judged",
           trace(data(frame(1), *received[:2], *received[3:], rec("rx_fates", fate=[0], cpu=[3], ns=[1], packets=[1]))))
    later = [rec("tick", at_ns=300, cpu=[0, 3], exact_ns=[300, 400]), rec("exact", event=0, ns=[500, 0]),
             rec("exact", event=6, ns=[1, 50])]
    between = {"without-exact-ns": [rec("tick", at_ns=200, cpu=[0, 3]), rec("exact", event=0, ns=[110, 0])],
               "without-exact": [rec("tick", at_ns=200, cpu=[0, 3], exact_ns=[200, 300])],
               "without-the-cpu": [rec("tick", at_ns=200, cpu=[7], exact_ns=[200]), rec("exact", event=0, ns=[110])]}
    for name, records in between.items():
        vector("exact-sums-" + name, "ok", "sums of exact times are not compared across a tick " + name.replace("-", " "),
               trace(data(frame(1), *ticks, *records, *later)))


def make_large():
    """Valid and hostile traces that expand to much data."""
    filler = MIB8 - len(frame(1).data) - len(rec("mark", [(3, b"\xc6" + bytes(4))]).data)
    noise = bytes(i * i * 7 + (i >> 8) & 0xff for i in range(1 << 16)) * 128
    eight = rec("mark", [(3, b"\xc6" + filler.to_bytes(4, "big") + noise[:filler])])
    vector("large-raw", "ok", "8 MiB in raw blocks", trace(data(frame(1), eight)), large)
    vector("large-block", "damaged", "a raw block of 128 KiB and a byte",
           [*trace(one(1), end=False, table=False),
            Piece(data(frame(2), rec("mark", [(3, b"\xc6\0\x02\0\0" + noise[:1 << 17])]), blocks=[
                (0, 18 + (1 << 17), bytes(18) + noise[:1 << 17])]).data), Piece(one(3).data)], large)
    content_ = frame(2).data + MARK[2].data
    room = 8421376 - len(zstd(content_)) - 3
    for name, kind, empty in ("large-limit", "ok", room // 3), ("large-over", "damaged", room // 3 + 1):
        blocks = [(0, len(content_), content_)] + [(0, 0, b"")] * (empty + 1)
        piece = data(frame(2), MARK[2], blocks=blocks)
        assert (len(piece.data) > 8421376) == (kind != "ok")
        vector(name, kind, f"a frame of {len(piece.data)} bytes, most of them empty blocks",
               trace(one(1), piece) if kind == "ok" else
               [*trace(one(1), end=False, table=False), Piece(piece.data), Piece(one(3).data)], large)
    vector("large-objects", "damaged", "two million objects in a frame, the last of which is wrong",
           broken_in(Obj(b"\x92\x16\x80" * 2000000 + b"\x90")), large)
    vector("large-bomb", "damaged", "16 MiB of empty blocks and no last one",
           [*trace(one(1), end=False, table=False),
            Piece(zstd(content_, blocks=[(0, 0, b"")], checksum=b"\0\0\0\0")[:6]), Piece(bytes(1 << 24))],
           large)
