#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""same.py A B: whether two files of JSON lines say the same, in the same order. How a character is escaped
makes no difference, nor how many U+FFFD in a row stand for what is not UTF-8."""
import json
import re
import sys


def meaning(value):
    if isinstance(value, str):
        return re.sub("\ufffd+", "\ufffd", value)
    if isinstance(value, list):
        return [meaning(v) for v in value]
    if isinstance(value, dict):
        return {meaning(k): meaning(v) for k, v in value.items()}
    return value


def records(path):
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield list(meaning(json.loads(line)).items())  # as a list: the order of the keys counts


sys.exit(list(records(sys.argv[1])) != list(records(sys.argv[2])))
