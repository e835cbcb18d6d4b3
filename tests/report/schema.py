# SPDX-License-Identifier: BSD-2-Clause
"""schema.py REPORT FILE...: checks the JSON of commands in golden files against the schema that the program prints.

The name of a file begins with the report's name in the schema, or with a name that KIND maps to it. The schema
must have each key of each printed object, and no object in it may allow arbitrary keys. The first file of each
report is also checked against the whole schema: exactly one report must match it.
"""
import json
import os
import re
import subprocess
import sys

import jsonschema

KIND = {"only": "summary", "processes": "who", "stages": "path"}


def values(path):
    """Returns the text of a file, except for the lines that tests/report/run.sh appends."""
    lines = [x for x in open(path, encoding="utf-8") if not x.startswith(("stderr: ", "status: "))]
    text = re.sub(r'("file_bytes":|byte) N', r"\1 0", "".join(lines)).strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        yield value
        text = text[end:].strip()


def is_strict(schema):
    """Checks that every object lists its members, and that every value has a type."""
    if schema.get("type") in ("object", ["object", "null"]):
        rest = schema["additionalProperties"]
        return bool(schema["properties"] or rest) and rest is not True and \
            all(is_strict(v) for v in [*schema["properties"].values(), *([rest] if rest else [])])
    if schema.get("type") in ("array", ["array", "null"]):
        return schema["items"] is False or is_strict(schema["items"]) or "prefixItems" in schema["items"]
    return bool(schema.keys() & {"type", "enum", "const"})


def report_of(name, schema):
    """Returns the longest report name with which the file's name starts. The name may have
    values, as in by=process."""
    name = re.sub("=[^-.]*", "", os.path.basename(name))
    words = re.split("[-.]", name)
    name = name.replace(words[0], KIND.get(words[0], words[0]), 1)
    return max((k for k in schema["$defs"] if re.match(re.escape(k) + r"\b", name)), key=len)


def form_of(report, value):
    """Returns the report's name. who is based on samples if a trace has no exact times of
    processes, and on counts if it is by peer, port or service."""
    if report == "who" and "view" in value:
        return "counts-" + value["view"]
    return "by-" + value["by"] if report == "who" and "samples_outside" in value else report


def main(report, *files):
    schema = json.loads(subprocess.run([report, "schema"], stdout=subprocess.PIPE, check=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    loose = [k for k, v in schema["$defs"].items() if not is_strict(v)]
    if loose:
        print("not strict: %s" % ", ".join(loose))
        return 1
    good, whole, seen = True, jsonschema.Draft202012Validator(schema), set()
    for name in files:
        report = report_of(name, schema)
        found = [e for value in values(name)
                 for e in jsonschema.Draft202012Validator(schema["$defs"][form_of(report, value)]).iter_errors(value)]
        for e in found[:3]:
            print("%s: at %s: %s" % (name, "/".join(map(str, e.absolute_path)), e.message[:300]))
        if not found and report not in seen and not all(whole.is_valid(value) for value in values(name)):
            print("%s: it matches no report, or several" % name)
            good = False
        good = good and not found
        seen.add(report)
    print("%d files" % len(files))
    return 0 if good and files else 1


sys.exit(main(*sys.argv[1:]))
