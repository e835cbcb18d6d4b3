# SPDX-License-Identifier: BSD-2-Clause
"""Vectors of section 6 of SPEC.md: what a program finds that continues after damage. They contain only what the
section requires (MUST)."""
import struct

from pieces import (HEAD, MARK, Piece, after_damage, bad, data, frame, header, hint, junk, large, magic_of, obj, one, rec, recoveries,
                    skippable, trace, vector, vectors)


def put(name, kind, shows, pieces, among=vectors):
    vector("recover-" + name, kind, shows, pieces, among)
    recoveries.add("recover-" + name)


def begun(*pieces):
    """A trace up to where it is damaged."""
    return trace(one(1), *pieces, end=False, table=False)


def end(seq):
    return data(frame(seq), rec("end", why="done"))


def frames():
    put("checksum", "damaged", "a frame with a wrong checksum, and two sound ones after it",
        begun(bad(frame(2), MARK[2], checksum=b"\1\2\3\4")) + after_damage(one(3), end(4)))
    put("object", "damaged", "a frame whose last object breaks the format, and a sound one after it",
        begun(bad(frame(2), MARK[2], obj(22, [(2, b"\xa5")]))) + after_damage(one(3), end(4)))
    put("gap", "damaged", "a frame of which only seq is wrong, by a gap: it is taken",
        begun() + after_damage(one(4), one(5), end(6)))
    put("twice", "damaged", "damage in two places",
        begun(bad(frame(2), MARK[2], checksum=b"\1\2\3\4")) + after_damage(one(3)) + [junk(b"no frame")]
        + after_damage(one(4), end(5)))
    put("seq-again", "damaged", "after damage a frame whose seq is that of one before: it is not taken, the next one is",
        begun(one(2), junk(b"\0\0\0")) + [Piece(one(2).data), Piece(one(1).data)] + after_damage(one(3), end(4)))
    put("end-of-file", "damaged", "nothing is found after the damage",
        begun(one(2), bad(frame(3), MARK[3], checksum=b"\1\2\3\4"), junk(b"\x28\xb5\x2f\xfd")))
    put("candidate", "damaged", "a frame in which the beginnings of others are: none of these is whole",
        begun(junk(b"\x28\xb5\x2f\xfd\x24\x05\x21" + one(2).data[:9] + b"\x28\xb5\x2f")) + after_damage(one(3), end(4)))


def lying(length):
    """Returns the head of a skippable frame."""
    return Piece(struct.pack("<II", 0x184d2a50, length))


MAGIC_WRONG = Piece(bytes([*skippable(b"netcost\x01", 12)[:7], 0x40]) + b"netcost\x01")


def hints():
    sound = [one(2), one(3), end(4)]

    put("hint-beyond-end", "cut", "a skippable frame whose length goes beyond the end of the file, and sound frames after its head",
        begun(lying(0x40000000)) + after_damage(*sound))
    put("hint-into-frame", "damaged", "a skippable frame whose length ends within a frame of data, and sound frames after its head",
        begun(lying(5)) + after_damage(*sound))
    put("hint-4-gib", "cut", "a skippable frame of 2^32 - 1 bytes by its head, and sound frames after that",
        begun(lying(0xffffffff)) + after_damage(*sound))
    put("magic-length", "empty", "the magic with one bit of its length wrong, and a sound trace after it",
        [MAGIC_WRONG, *after_damage(HEAD, one(1), one(2), end(3))])
    put("major", "version", "the magic with one bit of its version wrong, and a sound trace after it",
        [magic_of(3), *after_damage(HEAD, one(1), one(2), end(3))])
    put("magic-lost", "no-trace", "a sound trace without the magic", after_damage(HEAD, one(1), one(2), end(3)))
    inside = one(3)
    put("inside-hint", "damaged", "after damage the search goes through skippable frames, too: a frame in one of them is taken",
        begun(bad(frame(2), MARK[2], checksum=b"\1\2\3\4"))
        + [Piece(hint(inside.data).data, recovered=inside.rows)] + after_damage(one(4), end(5)))


def parts():
    put("part", "damaged", "after damage HEADER begins another part: what comes after it is of that",
        begun(bad(frame(2), MARK[2], checksum=b"\1\2\3\4"))
        + after_damage(data(header(tool="the other")), one(1), end(2)))
    put("part-before-end", "damaged", "HEADER before END begins another part, without other damage",
        begun(one(2)) + after_damage(data(header(tool="the other")), one(1), end(2)))
    put("after-end", "damaged", "after END and damage a frame that could continue the part: it is not taken",
        trace(one(1), table=False) + [junk(b"\0\0\0"), Piece(one(3).data), Piece(one(4).data)])


def make():
    frames()
    hints()
    parts()


def make_large():
    """More valid frames than a reader has read ahead when it finds that a skippable frame does not end."""
    noise = bytes((i * i * 7 + (i >> 8)) & 0xff for i in range(4000)).hex()[:4000]
    frames_ = [data(frame(seq), *[rec("mark", text=f"{seq} {i} {noise}") for i in range(30)]) for seq in (1, 2, 3, 4)]
    put("large-magic", "empty", "the magic with one bit of its length wrong, and 480 KB of sound frames after it",
        [MAGIC_WRONG, *after_damage(HEAD, *frames_, end(5))], large)
    put("large-hint", "cut", "a skippable frame whose length goes beyond the end of the file, and 360 KB of sound frames after it",
        [*trace(frames_[0], end=False, table=False), lying(0x40000000), *after_damage(*frames_[1:], end(5))], large)
