# SPDX-License-Identifier: BSD-2-Clause
"""Formats a measured value for people as text_measured() does: three significant digits, or as
many as its interval justifies."""
import itertools
import math

NS = ((1, " ns"), (1e-3, " us"), (1e-6, " ms"), (1e-9, " s"))
UJ = ((1, " uJ"), (1e-3, " mJ"), (1e-6, " J"))
PLAIN = ((1, ""),)


def rounded(v, decimals):
    to = 10.0 ** decimals
    return math.copysign(math.floor(abs(v * to) + 0.5), v) / to


def decimals_of(v, ci):
    by_value = by_interval = 0
    if v:
        by_value = 2 - math.floor(math.log10(abs(v)))
        by_value = 2 - math.floor(math.log10(abs(rounded(v, by_value))))
    if ci > 0:
        by_interval = 1 - math.floor(math.log10(ci))
    return by_interval if ci > 0 and (not v or by_interval < by_value) else by_value


def measured(v, ci=0, unit=PLAIN, most=None, bound=False, alone=False):
    if v is None:
        return "-"
    ci = ci if v or not alone else 0
    below = bound and 0 <= v < ci
    shown = v + ci if below else v
    size = max(abs(rounded(shown, decimals_of(shown, ci))), ci if not shown else 0)
    scale = 0
    while scale + 1 < len(unit) and size * unit[scale][0] >= 1000:
        scale += 1
    times, name = unit[scale]
    digits = min(decimals_of(shown * times, ci * times), 6 if most is None else most)
    number = lambda x: "%.*f" % (max(digits, 0), rounded(x, digits) or 0)
    half = number(ci * times)
    text = ("< " if below else "") + number(shown * times)
    if not below and not alone and half.strip("0."):
        text += " +- " + half
    return text + (name if v or ci > 0 else "")


def near(v, ci=0, slack=5e-5, **more):
    """Returns the texts that are possible for a value and an interval that JSON has rounded to
    that precision."""
    if v is None:
        return {"-"}
    offs = (-slack, 0, slack)
    return {measured(max(v + a, 0) if v >= 0 else v + a, max(ci + b, 0) if ci else ci, **more) for a, b in itertools.product(offs, offs)}
