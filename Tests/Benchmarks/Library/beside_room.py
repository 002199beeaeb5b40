#!/usr/bin/env python3
"""What music does to rooms that play: Tests/Benchmarks/Library/beside_room.py FOLDER [--help]

A server with the folder's music has rooms that play for some hundred listeners (sonaload). Rounds with nothing beside them
and rounds with something beside them follow each other on the same server:

- transfers: slow downloads of whole files and slow uploads, each on a connection of its own
- scan: all MP3 files of the folder are touched, so that the server reads their tags again, and measures them

Prints the delays of packets, the server's processor time, and the bytes it holds for each transfer.
"""
import argparse, json, os, pathlib, re, socket, subprocess, sys, tempfile, threading, time, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]


def ask(address, kind, data, token=None):
    request = urllib.request.Request(
        f"{address}/v1/rpc/{kind}", json.dumps(data).encode(),
        {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {}))
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["data"]


def memory_of(pid):
    """Bytes of memory that the process has for itself."""
    return 1024 * int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


class Transfers:
    """Slow downloads and uploads, all served by one thread of ours: it has little to do."""

    def __init__(self, address, token, tracks, downloads, uploads):
        self.place = address.removeprefix("http://").split(":")
        self.ended = threading.Event()
        self.bytes = 0
        self.sockets = []
        for number in range(downloads):
            track = tracks[number % len(tracks)]
            self.sockets.append(("down", self.begin(
                f"GET /v1/tracks/{track}/stream HTTP/1.1\r\nHost: {self.place[0]}\r\nAuthorization: Bearer {token}\r\n\r\n")))
        for number in range(uploads):
            self.sockets.append(("up", self.begin(
                f"PUT /v1/uploads/{number}.wav HTTP/1.1\r\nHost: {self.place[0]}\r\nAuthorization: Bearer {token}\r\n"
                f"Content-Length: {8 << 20}\r\n\r\n")))
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def begin(self, head):
        link = socket.create_connection((self.place[0], int(self.place[1])))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        link.sendall(head.encode())
        link.setblocking(False)
        return link

    def run(self):
        piece = bytes(8_192)
        while not self.ended.wait(0.125):
            for kind, link in self.sockets:
                try:
                    self.bytes += len(link.recv(8_192)) if kind == "down" else link.send(piece)
                except BlockingIOError:
                    pass
                except OSError:
                    pass

    def end(self):
        self.ended.set()
        self.thread.join()
        for _, link in self.sockets:
            link.close()


def play(programs, address, pid, work, options):
    """One round of sonaload: its JSON."""
    out = work / "load.json"
    subprocess.run([programs / "sonaload", "--server", address, "--rooms", "4", "--listeners", str(options.listeners),
                    "--seconds", str(options.seconds), "--server-pid", str(pid), "--json", out],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(out.read_text())


def tell(name, load, note=""):
    delay = load["delay_ms"]
    print(f"{name:10} delay p50 {delay['p50']:7.2f} ms, p99 {delay['p99']:7.2f} ms, most {delay['max']:7.2f} ms {note}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--listeners", type=int, default=400)
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--downloads", type=int, default=200)
    parser.add_argument("--uploads", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sona-beside-") as work:
        work = pathlib.Path(work)
        environment = os.environ | {"SONA_CONFIG": "/dev/null"}
        server = subprocess.Popen(
            [options.bin / "sona", "serve", "--data", work / "data", "--listen", "127.0.0.1:0", "--exempt", "127.0.0.1",
             "--account-budgets", "1000", "--guests-hear", "full", "--music", f"Music={options.folder.resolve()}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        try:
            address = next(line.split()[-1] for line in server.stdout if line.startswith("listening on "))
            account = {"email": "beside@example.org", "password": "a password beside", "username": "besides"}
            ask(address, "auth.sign_up", account)
            subprocess.run([options.bin / "sona", "user", "set-role", "@besides", "admin", "--data", work / "data"],
                           check=True, env=environment, stdout=subprocess.DEVNULL)
            token = ask(address, "auth.sign_in", {k: account[k] for k in ("email", "password")})["access_token"]
            while ask(address, "library.folders", {}, token)["folders"][0]["scanning"]:
                time.sleep(0.2)
            page = ask(address, "library.list", {"limit": 100}, token)
            tracks = [track["id"] for track in page["tracks"]]
            for _ in range(options.rounds):
                tell("alone", play(options.bin, address, server.pid, work, options))
                before = memory_of(server.pid)
                transfers = Transfers(address, token, tracks, options.downloads, options.uploads)
                time.sleep(1)
                load = play(options.bin, address, server.pid, work, options)
                held = (memory_of(server.pid) - before) // max(1, options.downloads + options.uploads)
                transfers.end()
                tell("transfers", load, f"{transfers.bytes >> 20} MiB went, {held} bytes more for each")
                for path in options.folder.rglob("*.mp3"):
                    os.utime(path)
                ask(address, "library.scan", {}, token)
                tell("scan", play(options.bin, address, server.pid, work, options))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
