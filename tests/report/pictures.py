# SPDX-License-Identifier: BSD-2-Clause
"""pictures.py FILE...: checks that each picture has the type of its name, and is harmless."""
import sys
import xml.etree.ElementTree as ElementTree
import zlib

KNOWN = {"svg", "g", "title", "desc", "rect", "defs", "circle", "path", "use", "filter", "feFlood", "feComposite",
         "polygon", "pattern", "text", "tspan"}


def check_svg(data):
    root = ElementTree.fromstring(data)
    for element in root.iter():
        name = element.tag.rsplit("}", 1)[-1]
        assert name in KNOWN, "an element " + name
        for key, value in element.attrib.items():
            assert not key.startswith("on"), "a script: " + key
            assert "href" not in key or value.startswith("#"), "a link: " + value
    words = "".join(root.itertext())
    assert all(c.isascii() or c in "\u00b1\u2019" for c in words), "a character that no text should have"
    assert any(element.tag.endswith("polygon") for element in root.iter()), "nothing is drawn"


def check_png(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n"), "no PNG"
    at, pixels = 8, b""
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            pixels += data[at + 8:at + 8 + size]
        at += size + 12
    assert len(set(zlib.decompress(pixels))) > 8, "nothing is drawn"


def check_pdf(data):
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"), "no PDF"


CHECKS = {"svg": check_svg, "png": check_png, "pdf": check_pdf}

for name in sys.argv[1:]:
    with open(name, "rb") as f:
        CHECKS[name.rsplit(".", 1)[-1]](f.read())
