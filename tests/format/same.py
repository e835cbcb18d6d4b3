#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""same.py A B: whether two files of JSON lines say the same, in the same order. How a character is escaped
makes no difference."""
import json
import sys


def records(path):
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield list(json.loads(line).items())  # as a list: the order of the keys counts


sys.exit(list(records(sys.argv[1])) != list(records(sys.argv[2])))
