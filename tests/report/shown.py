# SPDX-License-Identifier: BSD-2-Clause
"""Formats a measured value for people as text_measured() does: three significant digits, or as
many as its interval justifies."""
import itertools
import math

NS = ((1, " ns"), (1e-3, " us"), (1e-6, " ms"), (1e-9, " s"))
UJ = ((1, " uJ"), (1e-3, " mJ"), (1e-6, " J"))
PLAIN = ((1, ""),)


def rounded(v, decimals, mark=""):
    to = 10.0 ** decimals
    if mark:
        return math.ceil(v * to * (1 - 1e-9)) / to if mark == "<" else math.floor(v * to * (1 + 1e-9)) / to
    return math.copysign(math.floor(abs(v * to) + 0.5), v) / to


def decimals_of(v, ci):
    by_value = by_interval = 0
    if v:
        by_value = 2 - math.floor(math.log10(abs(v)))
        by_value = 2 - math.floor(math.log10(abs(rounded(v, by_value))))
    if ci > 0:
        by_interval = 1 - math.floor(math.log10(ci))
    return by_interval if ci > 0 and (not v or by_interval < by_value) else by_value


def measured(v, ci=0, unit=PLAIN, most=None, bound=False, alone=False, limit=math.inf):
    if v is None:
        return "-"
    ci = ci if v or not alone else 0
    top = limit * (1 + 1e-9)
    mark = "" if not bound or not 0 <= v <= top else "<" if v < ci else ">" if not alone and v + ci > top else ""
    shown = min(v + ci, limit) if mark == "<" else v - ci if mark else v
    ci = 0 if mark == "<" and shown < ci else ci
    size = max(abs(rounded(shown, decimals_of(shown, ci))), ci if not shown else 0)
    scale = 0
    while scale + 1 < len(unit) and size * unit[scale][0] >= 1000:
        scale += 1
    times, name = unit[scale]
    digits = min(decimals_of(shown * times, ci * times), 6 if most is None else most)
    number = lambda x, mark="": "%.*f" % (max(digits, 0), rounded(x, digits, mark) or 0)
    half = number(ci * times)
    interval = not mark and not alone and half.strip("0.")
    mark = mark or ("<" if not interval and 0 < shown * times * 10.0 ** digits < 0.5 else "")
    return mark + " " * len(mark) + number(shown * times, mark) + (" +- " + half if interval else "") + (name if v or ci > 0 or mark else "")


def near(v, ci=0, slack=5e-5, **more):
    """Returns the texts that are possible for a value and an interval that JSON has rounded to
    that precision."""
    if v is None:
        return {"-"}
    offs = (-slack, 0, slack)
    return {measured(max(v + a, 0) if v >= 0 else v + a, max(ci + b, 0) if ci else ci, **more) for a, b in itertools.product(offs, offs)}
