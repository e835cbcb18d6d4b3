# SPDX-License-Identifier: BSD-2-Clause
"""schema.py SCHEMA FILE...: what commands print as JSON, as it is in golden files, against the schema.

The file's name begins with the command's, or with what stands for it in KIND.
"""
import json
import os
import re
import sys

import jsonschema

KIND = {"only": "summary"}


def values(path):
    """All that is in a file, without the lines behind it that tests/report/run.sh adds."""
    lines = [x for x in open(path, encoding="utf-8") if not x.startswith(("stderr: ", "status: "))]
    text = re.sub(r'("file_bytes":|byte) N', r"\1 0", "".join(lines)).strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        yield value
        text = text[end:].strip()


def main(path, *files):
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    good = True
    for name in files:
        kind = re.split("[-.]", os.path.basename(name))[0]
        check = jsonschema.Draft202012Validator(
            {"$ref": "#/$defs/" + KIND.get(kind, kind), "$defs": schema["$defs"]})
        found = [e for value in values(name) for e in check.iter_errors(value)]
        for e in found[:3]:
            print("%s: at %s: %s" % (name, "/".join(map(str, e.absolute_path)), e.message[:300]))
        good = good and not found
    print("%d files" % len(files))
    return 0 if good and files else 1


sys.exit(main(*sys.argv[1:]))
