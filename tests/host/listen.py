#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""listen.py NAME RECORD REPORT FOLDER: a test of netcost-record --listen, on loopback."""
import glob
import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request

NAME, RECORD, REPORT, TMP = sys.argv[1:]
PATH = os.path.join(TMP, NAME)
TRACE = PATH + ".nct"
TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"


def record(listen, *options, trace=TRACE):
    return subprocess.Popen([RECORD, "--listen=" + listen, "-o", trace, *options], stderr=subprocess.PIPE, text=True)


def url_of(recorder):
    """Waits until it is served."""
    for line in recorder.stderr:
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found:
            return found[0]
    raise AssertionError("it serves nothing")


def server_of(recorder):
    with open("/proc/%d/task/%d/children" % (recorder.pid, recorder.pid)) as f:
        return int(f.read().split()[-1])


def wait_until(what, seconds=30):
    end = time.time() + seconds
    while not what():
        assert time.time() < end, "waited too long"
        time.sleep(0.05)


def is_gone(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def load():
    """Some packets over loopback."""
    a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    b.bind(("127.0.0.1", 0))
    for _ in range(200):
        a.sendto(b"x" * 100, b.getsockname())
        b.recv(200)


def points(text):
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def scrapes(url, ticks):
    """Returns the texts of this number of ticks, by time."""
    found, end = {}, time.time() + 10 * ticks
    while len(found) < ticks:
        assert time.time() < end, "no ticks: %r" % list(found)
        load()
        with urllib.request.urlopen(url + "metrics", timeout=30) as answer:
            assert answer.headers["Content-Type"] == TYPE, answer.headers
            text = answer.read().decode()
        assert text.endswith("# EOF\n"), text
        times = {line.rsplit(" ", 1)[1] for line in points(text)}
        assert len(times) <= 1, times
        for at in times:
            assert found.setdefault(at, text) == text, "two texts of one tick"
        time.sleep(0.1)
    return found


def end(recorder, status=0):
    recorder.send_signal(signal.SIGINT)
    said = recorder.communicate(timeout=60)[1]
    assert recorder.returncode == status, (recorder.returncode, said)
    return said


def exported(*traces):
    lines = set()
    for trace in traces:
        done = subprocess.run([REPORT, "export", "openmetrics", "-q", trace], stdout=subprocess.PIPE, check=True, text=True)
        lines |= set(points(done.stdout))
    return lines


def compare(found, lines):
    for at, text in found.items():
        wrong = [line for line in points(text) if line not in lines]
        assert not wrong, "not in the export: %r" % wrong[:5]
        # Series that begin at a later tick were 0 until then. A leaf that one interval lacks has a point when the next one is known.
        later = [line for line in lines - set(points(text)) if line.endswith(" " + at) and line.split(" ")[-2] != "0" and "_cpu_seconds" not in line]
        assert not later, "not served: %r" % later[:5]
        assert any(line.startswith("netcost_cpu_seconds_total") for line in points(text)), text


def same():
    """Clients that read nothing, and one that sends half a request, hold up neither the recording nor other clients."""
    recorder = record("9100", "-i", "250", "--processes", "--latency-by=process")
    url = url_of(recorder)
    port = int(url.rsplit(":", 1)[1].strip("/"))
    stuck = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
    stuck[1].sendall(b"GET /metr")
    stuck[2].sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
    found = scrapes(url, 6)
    server = server_of(recorder)
    said = end(recorder)
    assert is_gone(server), "the server runs on"
    assert "--listen" not in said, said
    subprocess.run([REPORT, "verify", "-q", TRACE], check=True)
    compare(found, exported(TRACE))


def rotated():
    recorder = record("9100", "-i", "250", "--rotate=2s", "--latency")
    found = scrapes(url_of(recorder), 6)
    end(recorder)
    files = glob.glob(PATH + "-*.nct")
    assert len(files) > 1, files
    compare(found, exported(*files))


def status_of(request):
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


def answers():
    recorder = record("127.0.0.1:9100", "-F", "0")
    url = url_of(recorder)
    wait_until(lambda: b"netcost_" in status_of(url)[1])
    status, body, headers = status_of(urllib.request.Request(url + "metrics", method="HEAD"))
    assert (status, body, headers["Content-Type"]) == (200, b"", TYPE) and int(headers["Content-Length"]) > 1000
    status, body, _ = status_of(url + "other")
    assert status == 404 and b"/metrics" in body
    status, _, headers = status_of(urllib.request.Request(url + "metrics", data=b"x" * 1000))
    assert status == 405 and headers["Allow"] == "GET, HEAD"
    assert status_of(url)[0] == 200
    end(recorder)


def refused():
    """It is not recorded at all if it cannot be served."""
    taken = socket.create_server(("127.0.0.1", 9100))
    with open(PATH, "w") as f:
        f.write("mine")
    ran = PATH + ".ran"
    for listen, why in [("9100", "in use"), (":9100", "in use"), ("unix:" + PATH, "in use"), ("203.0.113.7:9100", "Cannot assign"),
                        ("unix:/none/there", "No such file"), ("unix:" + 200 * "x", "too long"), ("99999", "Invalid"), ("a:b", "Invalid"), ("", "Invalid")]:
        recorder = record(listen, "--", "touch", ran)
        said = recorder.communicate(timeout=60)[1]
        assert recorder.returncode == 1 and why in said and "--listen" in said, (listen, recorder.returncode, said)
        assert not os.path.exists(TRACE) and not os.path.exists(ran), listen
    recorder = record("9100", trace="-")
    assert "--listen follow a file" in recorder.communicate(timeout=60)[1] and recorder.returncode == 2
    with open(PATH) as f:
        assert f.read() == "mine"
    taken.close()


def get_unix(path):
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(path)
    connection.request("GET", "/metrics")
    return connection.getresponse().read()


def unix(*options):
    recorder = record("unix:" + PATH, "-F", "0", *options)
    for line in recorder.stderr:
        if PATH in line:
            return recorder
    raise AssertionError("it serves nothing")


def socket_():
    """A socket that nothing listens at is replaced, and ours is removed at the end."""
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(PATH)
    stale.close()
    recorder = unix()
    assert stat.S_IMODE(os.stat(PATH).st_mode) == 0o600
    wait_until(lambda: b"netcost_" in get_unix(PATH))
    other = record("unix:" + PATH, "-F", "0", trace=PATH + "2.nct")
    assert "in use" in other.communicate(timeout=60)[1] and other.returncode == 1
    assert get_unix(PATH)
    end(recorder)
    assert not os.path.exists(PATH)


def server_killed():
    recorder = record("9100", "-F", "0", "-i", "250")
    url = url_of(recorder)
    scrapes(url, 1)
    os.kill(server_of(recorder), signal.SIGKILL)
    wait_until(lambda: "the recording goes on" in recorder.stderr.readline())
    time.sleep(0.5)
    end(recorder)
    subprocess.run([REPORT, "verify", "-q", TRACE], check=True)


def recorder_killed():
    recorder = unix()
    server = server_of(recorder)
    recorder.kill()
    wait_until(lambda: is_gone(server))
    assert not os.path.exists(PATH)


{"same": same, "rotated": rotated, "answers": answers, "refused": refused, "socket": socket_,
 "server_killed": server_killed, "recorder_killed": recorder_killed}[NAME]()
