"""Two gibibytes through other people's proxies: neither they nor the server keep the file in memory or beside it, and ranges pass."""
import pathlib, re, struct, subprocess, tempfile, threading, time

from protocol_checks.helpers import account, check, equal, true
from edge_checks.proxies import TRUST, caddy, haproxy, nginx, trusting
from edge_checks.stage import EdgeServer, ask, certificate, free_port

SIZE = 2 << 30
# What a process may take beyond what it took before the upload, MiB. Caddy's Go gives memory back when it likes.
MORE_MAX = 96


def silence(path):
    """A WAV file that ends with bytes of its own, sparse on disk."""
    with path.open("wb") as file:
        file.write(b"RIFF" + struct.pack("<I", SIZE - 8) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 48_000, 192_000, 4, 16)
                   + b"data" + struct.pack("<I", SIZE - 44))
        file.seek(SIZE - 4)
        file.write(b"\1\2\3\4")


def descendants(pid):
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += descendants(int(child))
    return found


def resident(pids):
    """MiB of all of them together."""
    total = 0
    for pid in pids:
        try:
            text = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        if found := re.search(r"VmRSS:\s+(\d+)", text):
            total += int(found[1])
    return total // 1024


class Watch:
    """The most memory of processes, and the most bytes that are in a folder of theirs, meanwhile."""
    def __init__(self, pids, folder=None):
        self.pids, self.folder, self.more, self.kept = pids, folder, 0, 0
        self.before, self.over = resident(pids), threading.Event()
        self.thread = threading.Thread(target=self.look)

    def look(self):
        while not self.over.wait(0.1):
            self.more = max(self.more, resident(self.pids) - self.before)
            if self.folder:
                self.kept = max(self.kept, sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file()))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


for name, start in (("nginx", nginx), ("Caddy", caddy), ("HAProxy", haproxy)):
    @check(f"two gibibytes are uploaded and read in ranges through {name}, and nobody keeps them in memory or twice on disk", slow=True)
    def _(start=start, name=name):
        with tempfile.TemporaryDirectory(prefix="sona-large-") as place, EdgeServer(*TRUST, "--upload-max", "4096") as server:
            file, port = pathlib.Path(place) / "silence.wav", free_port()
            silence(file)
            token = account()["access_token"]
            bearer = {"Authorization": f"Bearer {token}"}
            with start(server, port) as (home, process):
                mine = descendants(process.pid)
                begun = time.monotonic()
                with Watch(mine, home) as proxy, Watch([server.process.pid]) as own:
                    done = subprocess.run(["curl", "-sS", "--cacert", certificate()[0], "-T", file, "-H", f"Authorization: Bearer {token}", "-o", "/dev/null",
                                           "-D", "-", f"https://localhost:{port}/v1/uploads/"], capture_output=True, text=True, timeout=580)
                seconds = time.monotonic() - begun
                track = re.search(r"(?mi)^sona-track: (\S+)\r?$", done.stdout)
                true(re.search(r"(?m)^HTTP/\S+ 201", done.stdout) and track, f"upload: {done.stdout[-400:]}{done.stderr[-300:]}")
                print(f"note    {name}: 2 GiB in {seconds:.0f} s; the proxy took {proxy.more} MiB more and kept {proxy.kept >> 10} KiB "
                      f"on disk, the server {own.more} MiB more")
                true(proxy.more < MORE_MAX and own.more < MORE_MAX and proxy.kept < 1 << 20, "that is not kept")
                path, context = f"/v1/tracks/{track[1]}/stream", trusting()
                for asked, wanted in (("bytes=0-3", b"RIFF"), ("bytes=-4", b"\1\2\3\4"), (f"bytes={SIZE - 4}-", b"\1\2\3\4"),
                                      (f"bytes={(1 << 31) - 6}-{(1 << 31) - 3}", b"\0\0\1\2")):
                    status, body, headers = ask(port, "GET", path, bearer | {"Range": asked}, context=context)
                    equal((status, body), (206, wanted), asked)
                    true(headers["content-range"].endswith(f"/{SIZE}"), headers["content-range"])
                equal(ask(port, "GET", path, bearer | {"Range": f"bytes={SIZE}-"}, context=context)[0], 416, "past the end")
                with Watch(mine, home) as proxy:
                    done = subprocess.run(["curl", "-sS", "--cacert", certificate()[0], "-H", f"Authorization: Bearer {token}", "-o", "/dev/null", "-w",
                                           "%{http_code} %{size_download}", f"https://localhost:{port}{path}"], capture_output=True, text=True, timeout=300)
                equal(done.stdout, f"200 {SIZE}", f"all of it {done.stderr}")
                true(proxy.more < MORE_MAX and proxy.kept < 1 << 20, f"reading: the proxy took {proxy.more} MiB more, and kept {proxy.kept} bytes")
