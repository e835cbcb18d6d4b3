# SPDX-License-Identifier: BSD-2-Clause
"""format/reader.py on many traces, each in a process of its own, which an interpreter need not be started for.

    read_each.py OUT OPTION... -- TRACE...    leaves OUT/NAME.out, OUT/NAME.err and its exit status, OUT/NAME.rc
"""
import os
import sys
import traceback

sys.path.insert(0, "format")
import reader  # noqa: E402


def read(options, trace, to):
    """In a child."""
    for fd, suffix in ((1, ".out"), (2, ".err")):
        os.dup2(os.open(to + suffix, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), fd)
    status = 1
    try:
        status = reader.main(options + [trace])
    except BaseException:  # as if it were run alone
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(status)


def main(args):
    out, options, traces = args[0], args[1:args.index("--")], args[args.index("--") + 1:]
    for trace in traces:
        to = os.path.join(out, os.path.basename(trace)[:-len(".nct")])
        pid = os.fork()
        if not pid:
            read(options, trace, to)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with open(to + ".rc", "w", encoding="ascii") as f:
            f.write("%d\n" % status)


if __name__ == "__main__":
    main(sys.argv[1:])
