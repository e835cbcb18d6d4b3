#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Keeps the output that documents show equal to what the program prints, and runs the commands that they name.

    tools/excerpts.py --check [--build=DIR] DOC...     compares excerpts and runs commands; exit status 1 on a difference
    tools/excerpts.py --write [--build=DIR] DOC...     rewrites the excerpts

An excerpt is a fenced block that follows a comment with the command:

    <!-- $ netcost-report top examples/demo.nct | head -n 8 -->
    ```console
    ...
    ```

The part after " | " chooses lines and does not appear in the document. The script marks what it leaves out with "...".
A comment without a block only runs its command, to make the files that later commands read.

In blocks of the language sh every line is a command and is run, except those in UNTRIED; of these the options are looked up in
the help. "# exit status N" after a command is checked.

Commands of a document run one after the other in a new folder with examples, build and netcost.nct, which is
examples/demo.nct. The programs are in its PATH.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"<!-- \$ (.*) -->$")
WIDTH = 104  # longer lines are cut

# Pattern of a command that is not run, and the reason.
UNTRIED = [
    (r"netcost-record\b", "records: needs root; tests/host/all_documented.sh has it"),
    (r"(sudo )?sh (examples/demo|tests/run|tests/fresh-root)\.sh", "needs root, or runs the tests themselves"),
    (r"(sudo )?make\b|(UPDATE=1 )?sh (tests|tools)/|tools/|git |format/|patch ", "builds, tests or changes the source tree"),
    (r"kubectl\b|crictl\b|helm\b|docker\b", "needs a cluster"),
    (r"systemctl\b|sysctl\b|sudo install\b|sudo cp\b", "changes the host"),
    (r"sh (examples/fleet/)?fleet\.sh\b|promtool\b|go tool\b", "needs a program that may be absent; tests/report has it"),
    (r"(ssh|scp|nsenter)\b", "needs another host"),
]


def reason_untried(command):
    for pattern, reason in UNTRIED:
        if re.search(r"(^|&& |\| |; |\bsudo (\S+/)?|\./|build/|ssh \S+ )" + pattern, command):
            return reason
    return None


class Folder:
    """The folder in which the commands of a document run."""

    def __init__(self, build):
        self.path = tempfile.mkdtemp(prefix="netcost-docs-")
        self.build = os.path.abspath(build)
        examples = os.path.abspath("examples")
        os.symlink(examples, os.path.join(self.path, "examples"))
        os.symlink(self.build, os.path.join(self.path, "build"))
        shutil.copy(os.path.join(examples, "demo.nct"), os.path.join(self.path, "netcost.nct"))

    def run(self, command):
        env = dict(os.environ, PATH=self.build + ":" + os.environ["PATH"], LC_ALL="C.UTF-8", TZ="UTC", NO_COLOR="1", COLUMNS="",
                   NETCOST_PAGER="")
        done = subprocess.run(["sh", "-c", command], cwd=self.path, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def remove(self):
        shutil.rmtree(self.path)


def cut(line):
    return line if len(line) <= WIDTH else line[:WIDTH - 4].rstrip() + " ..."


def with_gaps(all_lines, chosen):
    """Returns the chosen lines, with "..." where lines of all_lines, or ends of lines, are left out."""
    out, at = [], 0
    for line in chosen:
        found = next((i for i in range(at, len(all_lines)) if all_lines[i] == line or line.strip() and all_lines[i].startswith(line)), None)
        if found is None:
            return chosen  # the filter changes lines
        if found > at and any(all_lines[at:found]):
            out.append("...")
            if not line:
                at = found + 1
                continue
        out.append(line if all_lines[found].rstrip() == line.rstrip() else line.rstrip() + " ...")
        at = found + 1
    if any(all_lines[at:]):
        while out and not out[-1]:
            out.pop()
        out.append("...")
    return out


def excerpt(folder, command):
    """Returns the lines of an excerpt, and the error."""
    shown, _, chooses = command.partition(" | ")
    status, full, errors = folder.run(shown)
    if status not in (0, 4) or (not full and "2>&1" not in shown):
        return None, "%s: exit status %d, %s" % (shown, status, errors.strip() or "no output")
    lines = full.rstrip("\n").split("\n")
    if chooses:
        status, some, errors = folder.run("(%s) | %s" % (shown, chooses))
        if status or not some.strip():
            return None, "%s: chooses no line: exit status %d %s" % (command, status, errors.strip())
        lines = with_gaps(lines, some.rstrip("\n").split("\n"))
    return ["$ " + shown] + [cut(line) for line in lines], None


def try_command(folder, line):
    """Runs a line of a sh block; returns the error, or None."""
    command, _, note = (" " + line).partition(" #")
    command = command.strip()
    if not command:
        return None
    if reason_untried(command):
        for program in ("netcost-record", "netcost-report"):
            if re.search(r"\b%s\b" % program, command):
                return unknown_options(folder, program, command)
        return None
    wanted = re.search(r"exit status (\d+)", note)
    wanted = int(wanted.group(1)) if wanted else 0
    status, _, errors = folder.run(command)
    return None if status == wanted else "%s: exit status %d, not %d: %s" % (command, status, wanted, errors.strip())


def unknown_options(folder, program, command):
    """Checks options of netcost-record, without running the command."""
    words = re.search(r"\b%s\b(.*)" % program, command).group(1)
    words = re.split(r" -- |[|;&)]", words)[0]
    status, text, _ = folder.run(program + " --help")
    if status:
        return None  # only the report was built
    for option in re.findall(r"(?<=\s)--?[a-zA-Z][a-z-]*", words):
        if not re.search(r"(^|[\s,])%s\b" % re.escape(option), text):
            return "%s: %s has no option %s" % (command, program, option)
    return None


def document(path, folder, write):
    """Returns the errors of a document. Rewrites its excerpts if `write` is set."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    out, wrong, i, excerpts, commands = [], [], 0, 0, 0

    def block(start):
        """Returns the line after the block that begins at line `start`."""
        return next(k for k in range(start + 1, len(lines)) if lines[k].startswith("```"))

    while i < len(lines):
        out.append(lines[i])
        comment = COMMENT.match(lines[i])
        fence = lines[i].startswith("```")
        i += 1
        if comment and i < len(lines) and lines[i].startswith("```console"):
            end = block(i)
            printed, why = excerpt(folder, comment.group(1))
            excerpts += 1
            old = lines[i + 1:end]
            if why:
                wrong.append("%s:%d: %s" % (path, i, why))
                printed = old
            elif printed != old and not write:
                k = next(k for k in range(max(len(old), len(printed))) if old[k:k + 1] != printed[k:k + 1])
                wrong.append("%s:%d: has     %r\nprinted is %r\ntools/excerpts.py --write %s rewrites it" %
                             (path, i + 2 + k, old[k:k + 1], printed[k:k + 1], path))
            out += [lines[i]] + printed + [lines[end]]
            i = end + 1
        elif comment:
            status, _, errors = folder.run(comment.group(1))
            if status:
                wrong.append("%s:%d: exit status %d: %s" % (path, i, status, errors.strip()))
        elif fence:
            end = block(i - 1)
            if lines[i - 1] == "```sh":
                for command in "\n".join(lines[i:end]).replace("\\\n", " ").split("\n"):
                    commands += bool(command.strip())
                    why = try_command(folder, command)
                    if why:
                        wrong.append("%s:%d: %s" % (path, i, why))
            elif lines[i - 1] == "```console":
                wrong.append("%s:%d: output without a command: put a comment before it" % (path, i))
            out += lines[i:end + 1]
            i = end + 1
    if write and out != lines:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(out))
    print("%s: %d excerpts, %d commands" % (path, excerpts, commands))
    return wrong


def broken_links(path):
    """Returns the links to files that do not exist."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"(?ms)^```.*?^```", "", f.read())
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    return ["%s: no such file: %s" % (path, link) for link in links
            if link and not os.path.exists(os.path.join(os.path.dirname(path), link))]


def main():
    parser = argparse.ArgumentParser(description="output and commands in documents")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--build", default="build")
    parser.add_argument("documents", nargs="+")
    args = parser.parse_args()
    if args.check == args.write:
        parser.error("one of --check and --write")
    wrong = []
    for path in args.documents:
        folder = Folder(args.build)
        try:
            wrong += document(path, folder, args.write) + broken_links(path)
        finally:
            folder.remove()
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
