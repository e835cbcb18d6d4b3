#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus and Grafana with netcost-record --listen.

prometheus.py scrapes RECORD REPORT PROMETHEUS FOLDER DASHBOARD    Prometheus has what the export of the finished trace has
prometheus.py typed DASHBOARD                                      the dashboard as TypeScript that @grafana/schema types
"""
import json
import math
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, "tests/report")
import metrics

SCRAPES = 60
API = "http://127.0.0.1:9090/api/v1/"
TYPED = """import type { Dashboard, GraphFieldConfig, Panel } from "@grafana/schema";
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Typed = Omit<Dashboard, "panels"> & { panels: Panel<Record<string, unknown>, GraphFieldConfig>[] };
export const dashboard: Plain<Typed> = %s;"""
CONFIG = """global: {scrape_interval: 1s}
scrape_configs: [{job_name: netcost, static_configs: [{targets: ['127.0.0.1:9100']}]}]
"""


def ask(what, **query):
    try:
        with urllib.request.urlopen(API + what + "?" + urllib.parse.urlencode(query), timeout=30) as answer:
            return json.load(answer)["data"]["result"]
    except urllib.error.HTTPError as error:
        raise AssertionError("%s %r: %s" % (what, query, error.read()))


def load(stop):
    """Packets and connections over loopback, and some packets that nobody takes."""
    udp, to = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    to.bind(("127.0.0.1", 0))
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    other = server.accept()[0]
    while not stop.wait(0.02):
        for _ in range(100):
            udp.sendto(b"x" * 100, to.getsockname())
            to.recv(200)
            client.sendall(b"x" * 1000)
            other.recv(2000)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nobody:
            nobody.sendto(b"x", ("127.0.0.1", 9))


def labels_of(pairs):
    """Comparable labels, without those of Prometheus; an empty one is absent."""
    return frozenset((k, v) for k, v in pairs.items() if v and k not in ("__name__", "instance", "job"))


def compare(found, exported):
    wanted = {(name, labels_of({k: metrics.json_like(v) for k, v in metrics.labels_of(labels).items()})): series
              for (name, labels), series in metrics.points(exported).items()}
    points, ticks = 0, set()
    for series in found:
        key = series["metric"]["__name__"], labels_of(series["metric"])
        for at, value in series["values"]:
            ms = round(at * 1000)
            assert wanted[key].get(ms) == float(value), (key, ms, value, wanted[key])
            points += 1
            ticks.add(ms)
    assert len(ticks) >= SCRAPES / 2 and points > 100 * len(ticks), (len(ticks), points)
    assert {name for name, labels in wanted} == {series["metric"]["__name__"] for series in found}


def look(dashboard):
    """Each query of the dashboard has data."""
    now = time.time()
    with open(dashboard, encoding="utf-8") as f:
        panels = json.load(f)["panels"]
    for target in [t for p in panels for t in p["targets"]]:
        query = target["expr"].replace("$__rate_interval", "10s").replace("$instance", ".+")
        rows = ask("query_range", query=query, start=now - 30, end=now - 5, step=1)
        values = [float(v) for row in rows for _, v in row["values"]]
        assert any(map(math.isfinite, values)), "%s: no data" % query
        names = set(re.findall(r"{{(\w+)}}", target["legendFormat"]))
        assert all(names <= row["metric"].keys() for row in rows), (query, names)


def scrapes(record, report, prometheus, folder, dashboard):
    trace, exported = folder + "/scraped.nct", folder + "/scraped.om"
    with open(folder + "/prometheus.yml", "w") as f:
        f.write(CONFIG)
    stop = threading.Event()
    loading = threading.Thread(target=load, args=(stop,))
    zone = folder + "/powercap/intel-rapl:0"
    os.makedirs(zone)
    for name, text in ("name", "package-0"), ("max_energy_range_uj", str(10**12)), ("energy_uj", "0" * 18):
        with open(zone + "/" + name, "w") as f:
            f.write(text + "\n")
    recorder = subprocess.Popen([record, "-q", "--latency", "--listen=9100", "-o", trace],
                                env=os.environ | {"NETCOST_POWERCAP": folder + "/powercap"})
    server = subprocess.Popen([prometheus, "--config.file=" + folder + "/prometheus.yml", "--storage.tsdb.path=" + folder + "/tsdb",
                               "--web.listen-address=127.0.0.1:9090"], stderr=subprocess.DEVNULL)
    loading.start()
    try:
        end = time.time() + 10 * SCRAPES
        while True:
            time.sleep(1)
            with open(zone + "/energy_uj", "r+") as f:
                f.write("%018d" % (1e6 * (10 * SCRAPES - end + time.time())))
            try:
                rows = ask("query", query='count_over_time(up{job="netcost"}[1h])')
                done = int(rows[0]["value"][1]) if rows else 0
            except urllib.error.URLError:
                done = 0
            if done >= SCRAPES:
                break
            assert time.time() < end and recorder.poll() is None and server.poll() is None, "%d scrapes" % done
        failed = [float(v) for row in ask("query", query='up{job="netcost"}[1h]') for _, v in row["values"]].count(0)
        assert failed <= 3, "%d scrapes failed" % failed  # before it was served
        look(dashboard)
        found = ask("query", query='{__name__=~"netcost_.+"}[1h]')
        recorder.send_signal(signal.SIGINT)
        assert recorder.wait(60) == 0
    finally:
        stop.set()
        loading.join()
        recorder.kill()
        server.terminate()
        server.wait(60)
    with open(exported, "w") as f:
        subprocess.run([report, "export", "openmetrics", "-q", trace], stdout=f, check=True)
    compare(found, exported)


def typed(dashboard):
    with open(dashboard, encoding="utf-8") as f:
        print(TYPED % f.read().strip())


{"scrapes": scrapes, "typed": typed}[sys.argv[1]](*sys.argv[2:])
