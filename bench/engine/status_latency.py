#!/usr/bin/env python3
"""How long /status takes while the service is full: status_latency.py SERVICE KEYS WITNESS [options]

Starts SERVICE (build/cuzk-service) with the folder KEYS, which holds small.zkey and large.zkey; hands in
jobs of the key small with WITNESS, asks for /status while the key large is loaded, and prints the times."""
import argparse
import http.client
import os
import socket
import subprocess
import tempfile
import threading
import time


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def ask(connection, method, target, body=None):
    headers = {"Content-Type": "application/octet-stream"} if body else {}
    connection.request(method, target, body, headers)
    reply = connection.getresponse()
    return reply.status, reply.read()


def submit(path, first, count, witness):
    connection = Connection(path)
    for i in range(first, first + count):
        status, text = ask(connection, "POST", f"/v1/jobs?key=small&id=status-{i}", witness)
        if status not in (200, 202):
            raise SystemExit(f"job {i}: {status} {text[:200]}")


def times(path, target, count):
    connection, taken = Connection(path), []
    for _ in range(count):
        start = time.perf_counter()
        ask(connection, "GET", target)
        taken.append((start, 1e3 * (time.perf_counter() - start)))
        time.sleep(0.005)
    return taken


def show(name, taken):
    ms = sorted(taken)
    if ms:
        print(f"{name} ({len(ms)}): least {ms[0]:.2f} ms, median {ms[len(ms) // 2]:.2f}, "
              f"p99 {ms[int(len(ms) * 0.99)]:.2f}, most {ms[-1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("service")
    parser.add_argument("keys")
    parser.add_argument("witness")
    parser.add_argument("--jobs", type=int, default=10000)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--threads", type=int, default=0, help="of the prover; 0: all")
    parser.add_argument("--processors", default="", help="of the service, as taskset -c wants them")
    args = parser.parse_args()
    witness = open(args.witness, "rb").read()
    with tempfile.TemporaryDirectory() as folder:
        path, config = folder + "/http", folder + "/cuzk.toml"
        with open(config, "w") as file:
            file.write(f'daemon.listen = "unix://{folder}/grpc"\ndaemon.status_listen = "unix://{path}"\n'
                       f'keys.folder = "{os.path.abspath(args.keys)}"\nstore.folder = ""\n')
        pin = ["taskset", "-c", args.processors] if args.processors else []
        env = dict(os.environ, CUZK_THREADS=str(args.threads)) if args.threads else dict(os.environ)
        with open(folder + "/log", "w") as log:
            service = subprocess.Popen(pin + [args.service, "serve", "--config", config], env=env,
                                       stdout=log, stderr=log)
        while not os.path.exists(path):
            time.sleep(0.05)
        clients = [threading.Thread(target=submit, args=(path, k * (args.jobs // 8), args.jobs // 8, witness))
                   for k in range(8)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        loaded = []
        load = threading.Thread(target=lambda: (ask(Connection(path), "POST", "/v1/keys/large"),
                                                loaded.append(time.perf_counter())))
        load.start()
        taken = times(path, "/status", args.requests)
        load.join()
        show("/status", [ms for _, ms in taken])
        show("  while the key loads", [ms for start, ms in taken if start < loaded[0]])
        show("/healthz", [ms for _, ms in times(path, "/healthz", args.requests // 2)])
        service.kill()
        service.wait()


main()
