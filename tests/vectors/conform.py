#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""conform.py SERVER: runs netcost-report and format/reader.py on all conformance vectors and
real traces. The records, the verdict and the samples must be the same, from a file, through a
pipe, and with little memory. SERVER: report_server.

format/vectors/generate.py describes NAME.nct, NAME.json and STATUS. Prints result lines.
NETCOST_TIER=all also runs every command on every vector with little memory."""
import contextlib
import glob
import hashlib
import io
import json
import os
import re
import sys
import tempfile
import traceback

sys.path[:0] = ["format", "format/vectors"]
import generate  # noqa: E402
import reader  # noqa: E402
import rules  # noqa: E402
from pieces import bad, data, frame, one, rec, trace  # noqa: E402
from report import Report  # noqa: E402

VECTORS = "format/vectors"
# in addition to what the smallest trace needs: a compressed frame, and its content
ROOM_KIB = 24576
# classes of vectors that dump reads without a message
READS_ALL = {"ok", "hint", "whole", "content"}
# read by format/reader.py, too, only if NETCOST_TIER=all: it takes 4 to 8 s for each
SLOW = set() if os.environ.get("NETCOST_TIER") == "all" else {"frame-limit-array", "large-bomb", "large-limit", "large-objects", "large-over"}
failed = False


def result(name, wrong, more=""):
    """Prints a result line. wrong: the error, if there is one."""
    global failed
    failed = failed or bool(wrong)
    print(f"not ok {name}: " + "; ".join(wrong).replace("\n", " ")[:2000] if wrong else f"ok {name}{more}", flush=True)


@contextlib.contextmanager
def output_of(found):
    """Collects in found what is written to descriptor 1 inside the block."""
    sys.stdout.flush()
    kept, fd = os.dup(1), os.memfd_create("out")
    os.dup2(fd, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.lseek(fd, 0, os.SEEK_SET)
        with open(fd, "rb") as out:
            found.append(out.read())


def by_reader(*args):
    """Returns (exit status, output, messages) of format/reader.py."""
    found, messages = [], io.StringIO()
    with output_of(found), contextlib.redirect_stderr(messages):
        try:
            status = reader.main(list(args))
        except Exception:  # an exception would end the program
            traceback.print_exc()
            status = 1
    return status, found[0], messages.getvalue()


def same_records(a, b):
    """Returns the records by their bytes, or by their meaning if they are JSON: a character may
    be escaped in several ways."""
    def records(text):
        return [list(json.loads(line).items()) for line in text.decode("utf-8").split("\n")[:-1]]
    try:
        return a == b or records(a) == records(b)
    except ValueError:
        return False


def read(path):
    with open(path, "rb") as file:
        return file.read()


def lines(text):
    return text.decode("utf-8", "replace").splitlines()


# ---- a vector


def judge_dump(kind, records, status, out, err):
    wanted = 0 if kind == "cut" or kind in READS_ALL else 1
    if status != wanted:
        yield f"dump: expected status {wanted}, got {status}"
    if not same_records(records, out):
        yield "dump gives other records"
    text = err.decode("utf-8", "replace")
    if kind in READS_ALL:
        if any(not line.startswith("note:") for line in lines(err)):
            yield f"dump: expected no message, got {text}"
    elif kind == "cut" and "cut off" not in text:
        yield f'dump: expected "cut off", got {text}'
    elif kind == "version" and "format version" not in text and "requires" not in text:
        yield f"dump: expected the version, got {text}"
    elif not text:
        yield "dump does not say why"


def judge_verify(kind, wanted, status, out, err):
    if status != wanted:
        yield f"verify: expected status {wanted}, got {status}: {out + err}"
    # For a good trace, only wrong hints, counter resets and unknown items are reported.
    told = [line for line in lines(out + err)
            if not re.search(r": ok|warning: .* counters? w(as|ere) reset|were not checked$", line)]
    if kind == "ok" and told or kind == "hint" and not told:
        yield f"verify: expected {'a warning' if kind == 'hint' else 'none'}, got {told}"


def judge_reader(kind, wanted, records, status, out, err):
    """Compares verdicts. format/reader.py does not check relations between records, and does not
    compare hints."""
    classes = [match[1] for match in map(re.compile(r"reader\.py: ([a-z-]*): ").match, err.splitlines())
               if match and match[1] != "note"]
    if kind in READS_ALL:
        wanted = 0
    if (status, classes) != (wanted, [] if kind in READS_ALL else [kind]):
        yield f"reader.py: expected status {wanted} and {kind}, got {status} and {classes or err}"
    if not same_records(records, out):
        yield "reader.py gives other records"


def judge_samples(report, path):
    """Compares records. The output of dump has a line where a part begins."""
    ours = report.run("dump", "--samples", path)[1]
    if re.sub(rb"^# .*\n", b"", ours, flags=re.M) != by_reader("--samples", path)[1]:
        yield "the readers give other samples"


def judge_recovery(report, path, kept):
    """Checks that both readers find the same after damage, from a file and through a pipe. kept:
    the records that they must find, if it is given."""
    ours = report.run("dump", "--recover", path)[1]
    if report.run("dump", "--recover", "-", stdin=path)[1] != ours:
        yield "dump --recover gives something else through a pipe"
    if not same_records(ours, by_reader("--recover", path)[1]):
        yield "the readers recover other records"
    if os.path.exists(kept) and not same_records(read(kept), ours):
        yield "dump --recover gives other records than are specified"


def judge_vector(report, limit_kib, folder, name, wanted, kind):
    path, records = f"{folder}/{name}.nct", read(f"{folder}/{name}.json")
    dumped = report.run("dump", path)
    yield from judge_dump(kind, records, *dumped)
    if report.run("dump", "-", stdin=path)[:2] != dumped[:2]:
        yield "dump gives something else through a pipe"
    little = report.run("dump", path, limit_kib=limit_kib)
    if little != dumped:
        yield f"dump in {limit_kib} KiB: expected status {dumped[0]}, got {little[0]}: {little[2]}"
    yield from judge_verify(kind, wanted, *report.run("verify", path))
    if name in SLOW:
        return
    yield from judge_reader(kind, wanted, records, *by_reader(path))
    if kind not in READS_ALL and os.path.getsize(path) < 1 << 20:
        yield from judge_recovery(report, path, f"{folder}/{name}.recover.json")
    if kind == "ok":
        yield from judge_samples(report, path)


def judge_vectors(report, limit_kib, folder):
    for line in read(f"{folder}/STATUS").decode("utf-8").splitlines():
        name, wanted, kind, _ = line.split("\t")
        result(f"vector-{name}", list(judge_vector(report, limit_kib, folder, name, int(wanted), kind)))


def judge_generated():
    """Checks that generate.py reproduces the stored vectors, and that the vectors have every key
    of SPEC.md."""
    found = []
    with output_of(found):
        generate.main(["--check"])
    result("vectors-generated", found[0].decode().split())
    result("vectors-complete", generate.unseen())


# ---- each rule of each key

AT_ONCE = 50  # number of files in one run of verify


def verified(report, paths):
    """Returns {path: whether verify accepts the file}."""
    sound = {}
    for at in range(0, len(paths), AT_ONCE):
        _, out, err = report.run("verify", *paths[at:at + AT_ONCE])
        for line in lines(out + err):
            path, _, what = line.removeprefix("netcost-report: ").partition(": ")
            sound[path] = sound.get(path, True) and what.startswith(("ok", "warning: "))
    return sound


def class_by_reader(data):
    try:
        for _ in reader.Reader(io.BytesIO(data)):
            pass
    except reader.Stop as stop:
        return stop.kind
    return "ok"


def judge_rules(report, folder):
    """Checks the vectors of rules.py: verify and format/reader.py agree with the class of each.
    If the vectors are joined in one file, both readers give the same records, even after
    damage."""
    made = [(f"{folder}/{name}.nct", kind, data) for name, kind, data in rules.make()]
    for path, _, data in made:
        with open(path, "wb") as file:
            file.write(data)
    sound = verified(report, [path for path, _, _ in made])
    wrong = [f"{os.path.basename(path)}: expected {kind}, verify says {sound.get(path)}"
             for path, kind, _ in made if sound.get(path) != (kind == "ok")]
    wrong += [f"{os.path.basename(path)}: expected {kind}, format/reader.py says {found}" for path, kind, found in (
        (path, "ok" if kind == "content" else kind, class_by_reader(data)) for path, kind, data in made) if kind != found]
    result("rules", wrong, f": {len(made)} vectors")
    for name, option, kinds in ("records", [], ("ok", "content")), ("recovered", ["--recover"], ("damaged",)):
        path = f"{folder}/all-{name}"
        with open(path, "wb") as file:
            file.write(b"".join(data for _, kind, data in made if kind in kinds))
        same = same_records(report.run("dump", *option, path)[1], by_reader(*option, path)[1])
        result(f"rules-{name}", [] if same else ["the readers give other records"])


# ---- the first violation


def judge_first(report, folder, name, after):
    """Checks that the frame of a tick that does not sum is named, and not the frame after it."""
    ticks = [rec("tick", cpu=[0], exact_ns=[100]), rec("exact", event=0, ns=[100]),
             rec("tick", cpu=[0], exact_ns=[200]), rec("exact", event=0, ns=[201])]
    pieces = trace(one(1), data(frame(2), *ticks), end=False, table=False)
    at, path = sum(len(piece.data) for piece in pieces[:-1]), f"{folder}/first-{name}.nct"
    with open(path, "wb") as file:
        file.write(b"".join(piece.data for piece in pieces) + after)
    status, out, _ = report.run("verify", path)
    if status != 1 or f"damaged at byte {at}: exact: between two ticks".encode() not in out:
        yield f"expected status 1 and damage at byte {at}, got {status}: {out}"


AFTER = {"end-of-file": b"", "cut-frame": one(3).data[:-5], "no-frame": b"no frame", "seq": one(5).data,
         "checksum": bad(frame(3), rec("mark"), checksum=b"\1\2\3\4").data, "hint": b"\x50\x2a\x4d\x18\xff\xff\xff\x7f"}


# ---- real traces: those kept for ever, and current ones


def judge_real(report, path):
    dumped = report.run("dump", path)
    if dumped[:2] != by_reader(path)[:2] or dumped[0]:
        yield "the readers give other records"
    yield from judge_samples(report, path)
    kept = path[:-len(".nct")] + ".sha256"
    if os.path.exists(kept) and read(kept).decode().strip() != hashlib.sha256(dumped[1]).hexdigest():
        yield "other records than when it was kept"


# ---- traces of another version


OTHER, GOOD = f"{VECTORS}/no-major-2.nct", f"{VECTORS}/real-2026-11-22.nct"
OTHER_TEXT = "version 2"
SHOW = "summary dump info verify top timeline folded flamegraph accuracy".split()


def judge_refused(report, path, after_good, command, out):
    """Checks that every command refuses the file with one line, and neither shows nor writes any
    of it."""
    status, shown, err = report.run(*command, stdin=path)
    said = lines(shown if command[0] == "verify" else err)
    if status != 1:
        yield f"expected status 1, got {status}"
    if sum(OTHER_TEXT in line for line in said) != 1 or sum(": complete; saved" not in line and not line.endswith(": written") for line in said) != 1:
        yield f"expected one line with '{OTHER_TEXT}', got {said}"
    if shown and not after_good and command[0] not in ("dump", "verify"):
        yield "shows something"
    if os.path.exists(out):
        if report.run("verify", "-q", out)[0]:
            yield "its output is invalid"
        os.remove(out)


def judge_other_version(report, folder):
    other, good, out = read(OTHER), read(GOOD), folder + "/out"
    for name, part, data in (("alone", 1, other), ("first", 1, other + good), ("second", 2, good + other)):
        path, wrong = f"{folder}/version-{name}.nct", []
        with open(path, "wb") as file:
            file.write(data)
        for command in [[show, file] for show in SHOW for file in (path, "-")] + [["html", path, "-o", "-"], ["html", "-", "-o", "-"]] + [
                ["scrub", path, "-o", out], ["recover", path, "-o", out], ["merge", path, "-o", out], ["cut", f"--part={part}", path, "-o", out]]:
            wrong += [f"{command[0]} {command[1]}: {why}"
                      for why in judge_refused(report, path, name == "second", command, out)]
        status, _, err = by_reader(path)
        if status != 1 or OTHER_TEXT not in err:
            wrong.append(f"reader.py: expected status 1 and '{OTHER_TEXT}', got {status} and {err}")
        result(f"version-{name}", wrong)


# ---- memory of all commands


COMMANDS = [line.split() for line in """verify, info, info --format=json, dump, dump --samples, dump --recover, summary,
    summary --format=json, folded, folded --per-cpu, recover -o -, merge -o -, scrub -o -, cut --from=0.1 -o -""".split(",")]


def judge_memory(report, limit_kib, folders):
    """Checks that a command with little memory gives the same result as with plenty."""
    for command in COMMANDS:
        wrong, kib = [], limit_kib + (10240 if command[0] == "cut" else 0)  # cut has two readers
        paths = [path for folder in folders for path in sorted(glob.glob(folder + "/*.nct"))]
        for path in paths:
            free, little = report.run(*command, path), report.run(*command, path, limit_kib=kib)
            if free != little or free[0] not in (0, 1, 3):
                wrong.append(f"{path}: expected status {free[0]}, got {little[0]}: {little[2]}")
        result("memory-" + "".join(command), wrong, f": {len(paths)} traces in {kib} KiB")


def main(server):
    report = Report(server)
    judge_generated()
    limit_kib = report.memory_kib("dump", f"{VECTORS}/minimal.nct")
    result("memory", [] if limit_kib else ["dump of minimal.nct needs more than 1 GiB"])
    limit_kib = (limit_kib or 0) + ROOM_KIB
    with tempfile.TemporaryDirectory() as folder:
        generate.main(["--large", folder])
        judge_vectors(report, limit_kib, VECTORS)
        judge_vectors(report, limit_kib, folder)
        judge_rules(report, folder)
        for name, after in AFTER.items():
            result("first-violation-" + name, list(judge_first(report, folder, name, after)))
        if os.environ.get("NETCOST_TIER") == "all":
            needed_kib = report.memory_kib("summary", f"{VECTORS}/minimal.nct")
            judge_memory(report, needed_kib + ROOM_KIB, [VECTORS, folder])
    for path in sorted(glob.glob(f"{VECTORS}/real-*.nct")) + ["examples/demo.nct"]:
        result("real-" + os.path.basename(path)[:-len(".nct")], list(judge_real(report, path)))
    with tempfile.TemporaryDirectory() as folder:
        judge_other_version(report, folder)
    report.close()
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
