"""A service manager's end of the conversation: its datagram socket, as systemd has it."""
import os, pathlib, re, signal, socket, subprocess, tempfile, time

from account_checks.server import Server
from protocol_checks.helpers import check, equal, true


class Managed:
    """`sona serve`, told of a manager's socket."""
    def __init__(self, name=None, watchdog_ms=None, settings=""):
        self.folder = tempfile.TemporaryDirectory(prefix="sona-manager-")
        self.place = pathlib.Path(self.folder.name)
        name = name or str(self.place / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name[1:] if name.startswith("@") else name)
        (self.place / "sona.conf").write_text(settings)
        environment = os.environ | {"NOTIFY_SOCKET": name, "SONA_CONFIG": str(self.place / "sona.conf")}
        if watchdog_ms:
            environment["WATCHDOG_USEC"] = str(watchdog_ms * 1000)
        self.err = (self.place / "err").open("w+")
        self.process = subprocess.Popen([Server.programs / "sona", "serve", "--data", self.place / "data", "--listen", "127.0.0.1:0"],
                                        env=environment, stdout=subprocess.PIPE, stderr=self.err, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            self.process.wait(30)
        self.socket.close()
        self.folder.cleanup()

    def next(self, seconds=20, but=()):
        """The next message, as lines; None if none comes in time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                message = self.socket.recv(4096).decode().split("\n")
            except TimeoutError:
                return None
            if message[0] not in but:
                return message
        return None


for kind, name in (("a path", None), ("an abstract name", f"@sona-manager-{os.getpid()}")):
    @check(f"the manager at {kind} is told when the server is ready, reads its settings again, and stops")
    def _(name=name):
        with Managed(name) as one:
            equal(one.next(), ["READY=1", "STATUS=Serving."], "at the start")
            line = one.process.stdout.readline()
            true(line.startswith("listening on "), line)
            for settings, wanted in (("name = Ada's\n", r"Serving\."), ("nonsense = 1\n", r"Serving, with the configuration as it was: .*nonsense.*"),
                                     ("", r"Serving\.")):
                (one.place / "sona.conf").write_text(settings)
                before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
                one.process.send_signal(signal.SIGHUP)
                reloading = one.next()
                equal(reloading[0], "RELOADING=1", "at SIGHUP")
                moment = int(reloading[1].removeprefix("MONOTONIC_USEC="))
                true(before <= moment <= time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000, "the moment of the signal")
                ready = one.next()
                true(ready[0] == "READY=1" and re.fullmatch("STATUS=" + wanted, ready[1]), f"after it: {ready}")
            equal(one.next(1), None, "without a watchdog, signs of life")
            one.process.terminate()
            equal(one.next()[0], "STOPPING=1", "at SIGTERM")
            equal(one.process.wait(30), 0, "the end")


@check("signs of life come three times in the watchdog's time, and end while the server hangs")
def _():
    with Managed(watchdog_ms=1500) as one:
        equal(one.next()[0], "READY=1", "at the start")
        begun = time.monotonic()
        for _ in range(6):
            equal(one.next(1.5), ["WATCHDOG=1"], "a sign of life")
        true(1.5 < time.monotonic() - begun < 4.5, f"six in {time.monotonic() - begun:.1f} s")
        one.process.send_signal(signal.SIGSTOP)
        one.next(0.2)
        equal(one.next(1.5), None, "a sign of life of a server that is stopped")


@check("a server that can't start tells the manager why")
def _():
    with Managed(settings="") as first:
        equal(first.next()[0], "READY=1", "the first")
        address = first.process.stdout.readline().split("//")[1].strip()
        second = Managed(settings="")
        second.process.kill()
        second.process.wait()
        second.process = subprocess.Popen([Server.programs / "sona", "serve", "--data", second.place / "other", "--listen", address],
                                          env=os.environ | {"NOTIFY_SOCKET": str(second.place / "notify"), "SONA_CONFIG": "/dev/null"},
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with second:
            message = second.next(but=("READY=1",))
            true(message[0].startswith("STATUS=") and address.split(":")[1] in message[0], f"{message}")
            equal(second.process.wait(20), 75, "its end")
