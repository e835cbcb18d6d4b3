# SPDX-License-Identifier: BSD-2-Clause
"""A browser without a screen, worked through Chromium's DevTools protocol over a pipe.

browser.py PAGE.html HOSTILE.html GRAPH.svg HOSTILE.svg TABLE.html QUIET...: opens them from the disk at several widths,
works the flame graph, sorts a table, and prints a result line a check. Needs nothing but Chromium; always ends, and leaves no process
and no file.
"""
import fcntl
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ALL_S, ONE_S = 100, 20  # limits in s, for the whole run and for one answer
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio",
         "--remote-debugging-pipe", "about:blank"]
WIDTHS = (360, 1600)


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="netcost-chromium.")
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (theirs_in, theirs_out)]

        def fds():  # Chromium reads from 3 and writes to 4
            os.setsid()
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(["chromium", "--user-data-dir=" + self.profile] + FLAGS, preexec_fn=fds,
                                        close_fds=True, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in high + [theirs_in, theirs_out]:
            os.close(fd)
        self.rest, self.number, self.session, self.events = b"", 0, None, []

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # of the session that it opened
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self, seconds):
        """Returns the next message, or None."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                return None
            data = os.read(self.inp, 1 << 16)
            if not data:
                raise RuntimeError("the browser has gone")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(ONE_S)
            if answer is None:
                raise RuntimeError("no answer to " + method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            self.event(answer)

    def event(self, message):
        self.events.append(message)
        if message.get("method") == "Page.javascriptDialogOpening":
            self.number += 1
            os.write(self.out, json.dumps({"id": self.number, "method": "Page.handleJavaScriptDialog", "sessionId":
                                           self.session, "params": {"accept": True, "promptText": self.prompt}
                                           }).encode() + b"\0")

    def settle(self, seconds):
        """Processes the messages that arrive within a time."""
        end = time.monotonic() + seconds
        while True:
            message = self.read(max(0, end - time.monotonic()))
            if message is None:
                return
            self.event(message)

    def new_tab(self):
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Audits.enable")
        return target

    def open(self, path, width, dark, height=900):
        self.new_tab()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.url = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.url)
        end = time.monotonic() + ONE_S
        while self.run("document.readyState") != "complete" and time.monotonic() < end:
            self.settle(0.05)
        self.settle(0.2)

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def key(self, name, code=0):
        text = "\r" if name == "Enter" else name if len(name) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code,
                      **({"text": text} if kind == "keyDown" and text else {}))

    def complaints(self):
        """Returns every message that the page wrote to the console, and every request other than
        the request for the page itself."""
        found = []
        for e in self.events:
            method, params = e.get("method"), e.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded"):
                found.append("%s: %s" % (method, json.dumps(params)[:300]))
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if url != self.url and not url.startswith("data:"):
                    found.append("asked for " + url[:200])
        return found


# ---- checks: they return None, or the error

# Finds the widest frame that is neither the root nor hidden, and narrower than two thirds of the
# root.
PICK = """(() => {
    const svg = document.querySelector("svg[data-total]"), all = svg.getBoundingClientRect().width;
    const f = [...svg.querySelectorAll(".f")].find(f => {
        const w = f.querySelector("rect").getBoundingClientRect().width;
        return w > 12 && w < all * 2 / 3;
    });
    window.picked = f;
    f.scrollIntoView({block: "center"});
    const r = f.querySelector("rect").getBoundingClientRect();
    return [r.x + r.width / 2, r.y + r.height / 2, f.querySelector("title").textContent];
})()"""
WIDTH = """picked.querySelector("rect").getBoundingClientRect().width /
           document.querySelector("svg[data-total]").getBoundingClientRect().width"""
FOCUSED = "document.activeElement.querySelector('title').textContent"
STATUS = "document.querySelector('.status').textContent"
RESET = "getComputedStyle(document.querySelector('.reset')).visibility"


def quiet(b):
    found = b.complaints()
    return "; ".join(found) if found else None


def fits(b):
    """Checks that the page itself does not scroll sideways."""
    wide = b.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return "%d px wider than its window" % wide if wide > 0 else None


def zooms(b):
    x, y, name = b.run(PICK)
    before = b.run(WIDTH)
    b.click(x, y)
    zoomed, reset = b.run(WIDTH), b.run(RESET)
    b.key("Escape", 27)
    after = b.run(WIDTH)
    if abs(zoomed - 1) > 0.001 or abs(after - before) > 0.001 or reset != "visible" or b.run(RESET) != "hidden":
        return "%s: %g of the width, then %g, then %g" % (name, before, zoomed, after)


def searches(b, typed):
    """Checks that searching for a name finds the frame that PICK chose, and that an unknown name
    finds nothing."""
    name = b.run(PICK)[2].split(" ")[0]
    said = []
    for text in (re.escape(name), "no_such_function_at_all"):
        if typed:
            b.run("document.querySelector('.search').value = ''")
            b.key("/", 191)
            b.type(text)
        else:
            b.prompt = text
            b.key("/", 191)
        b.settle(0.1)
        said.append(b.run(STATUS))
    share = float(said[0].split()[1]) if said[0].startswith("matched: ") else 0
    b.key("Escape", 27)
    if share <= 0 or said[1] != "matched: 0.00 %" or b.run(STATUS) != "":
        return "%s: %s" % (name, said)


def keys(b):
    """Moves from the outermost frame one level in, zooms, and returns."""
    b.run("document.querySelector('.f').focus()")
    b.key("ArrowDown" if b.run("document.querySelector('.f rect').y.baseVal.value < 50") else "ArrowUp", 38)
    name = b.run(FOCUSED)
    b.run("window.picked = document.activeElement, 0")
    b.key("Enter", 13)
    width = b.run(WIDTH)
    b.key("Escape", 27)
    if name.startswith("all ") or abs(width - 1) > 0.001:
        return "%s: %g of the width" % (name, width)


# Returns the numbers in a column of the table, of sorted rows and of rows that stay at the bottom,
# and the column's heading.
COLUMN = """(at => {
    const t = document.querySelector("table.sortable"), rows = [...t.tBodies[0].rows];
    const of = last => rows.filter(r => r.classList.contains("last") === last).map(r => r.cells[at].textContent);
    return [of(false), of(true), t.tHead.rows[0].cells[at].getAttribute("aria-sort"),
            rows.slice(-of(true).length || rows.length).every(r => r.classList.contains("last"))];
})(%d)"""
HEADING = """(at => {
    const button = document.querySelector("table.sortable").tHead.rows[0].cells[at].querySelector("button");
    button.scrollIntoView({block: "center", inline: "center"});
    const r = button.getBoundingClientRect();
    return [r.x + r.width / 2, r.y + r.height / 2, button.textContent];
})(%d)"""


def sorts(b):
    """Checks that the first click sorts the largest first and the second click the largest last,
    that the keyboard does the same, and that rows of sums stay at the bottom."""
    column = b.run("[...document.querySelector('table.sortable').tHead.rows[0].cells].findIndex(c => "
                   "c.textContent === 'send')")
    x, y, name = b.run(HEADING % column)
    said = [b.run(COLUMN % column)]
    b.click(x, y)
    said.append(b.run(COLUMN % column))
    b.click(x, y)
    said.append(b.run(COLUMN % column))
    b.key("Enter", 13)  # a click has focused it
    said.append(b.run(COLUMN % column))
    b.run("document.querySelector('table.sortable button').focus()")
    b.key(" ", 32)
    first = b.run(COLUMN % 0)
    one, two, three, four = [[float(v.split()[0]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}.get(v.split()[-1], 1) for v in s[0]] for s in said]
    falls = sorted(one, reverse=True)
    if name != "send" or one == falls or two != falls or three != falls[::-1] or four != falls or \
            [s[2] for s in said] != [None, "descending", "ascending", "descending"] or \
            any(s[1] != said[0][1] or not s[3] for s in said) or first[2] != "ascending" or first[0] != sorted(first[0]):
        return "%s: %s, then %s" % (name, said, first)


def is_plain(b):
    """Checks that hostile names of the trace are shown as text, and that none of them was
    executed."""
    bad = b.run("""[...document.querySelectorAll('*')].filter(e =>
        [...e.attributes].some(a => a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value)) ||
        ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'B', 'IMAGE'].includes(e.tagName.toUpperCase()) &&
        !(e.tagName === 'script' && e.ownerSVGElement) && !e.matches('footer + script:last-child')).length""")
    done = b.run("typeof window.hostile")
    text = b.run("document.documentElement.textContent")
    odd = sorted({c for c in text if (ord(c) < 32 and c not in "\n\t") or ord(c) > 126 and c not in "\xa0±−"})
    if bad or done != "undefined" or odd or "<script>hostile=1</script>" not in text:
        return "%d elements that have no business there, window.hostile is %s, characters %r" % (bad, done, odd)


def shows_charts(b):
    """Checks that all images load. There are none without gnuplot."""
    b.run("Promise.all([...document.images].map(i => i.decode().catch(() => 0)))")
    broken = b.run("[...document.images].filter(i => !i.complete || i.naturalWidth < 100).length")
    return "%d images are broken" % broken if broken else None


def is_dark(b):
    light = b.run("getComputedStyle(document.body).backgroundColor")
    return None if light != "rgb(255, 255, 255)" else "the page is white in the dark"


def check(name, wrong):
    print("ok browser-" + name if wrong is None else "not ok browser-%s: %s" % (name, wrong), flush=True)
    return wrong is None


def page(b, path, width, dark, good):
    kind = "%d-%s" % (width, "dark" if dark else "light")
    b.open(path, width, dark)
    good &= check("fits-" + kind, fits(b))
    good &= check("zooms-" + kind, zooms(b))
    good &= check("searches-" + kind, searches(b, True))
    good &= check("keys-" + kind, keys(b))
    good &= check("charts-" + kind, shows_charts(b))
    if dark:
        good &= check("is-" + kind, is_dark(b))
    return good & check("is-quiet-" + kind, quiet(b))


def main(path, hostile, graph, hostile_graph, table, *others):
    b, good = Browser(), True
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("not ok browser: still at it after %d s" % ALL_S))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.alarm(ALL_S)
    try:
        for width in WIDTHS:
            for dark in (False, True):
                good = page(b, path, width, dark, good)
        b.open(hostile, WIDTHS[0], False)
        good &= check("hostile-zooms", zooms(b))
        good &= check("hostile-fits", fits(b))
        good &= check("hostile-is-plain", is_plain(b))
        good &= check("hostile-is-quiet", quiet(b))
        b.open(graph, WIDTHS[1], False)
        good &= check("graph-zooms", zooms(b))
        good &= check("graph-searches", searches(b, False))
        good &= check("graph-keys", keys(b))
        good &= check("graph-is-quiet", quiet(b))
        b.open(hostile_graph, WIDTHS[1], False)
        good &= check("hostile-graph-is-plain", is_plain(b))
        good &= check("hostile-graph-is-quiet", quiet(b))
        for width in WIDTHS:
            b.open(table, width, False)
            good &= check("table-fits-%d" % width, fits(b))
            good &= check("table-sorts-%d" % width, sorts(b))
            good &= check("table-is-quiet-%d" % width, quiet(b))
        for other in others:  # pages that are opened and not used otherwise
            b.open(other, WIDTHS[0], True)
            good &= check(other.replace(".", "-") + "-is-quiet", quiet(b))
    except RuntimeError as e:
        good = check("goes-on", str(e))
    finally:
        signal.alarm(0)
        b.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
