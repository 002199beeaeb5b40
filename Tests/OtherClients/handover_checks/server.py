"""A server that is replaced by another process."""
import os, signal, time

from account_checks.server import Server


class Adopted:
    """A process that somebody else has started, as far as `Server` needs it."""

    def __init__(self, number):
        self.number = number

    def poll(self):
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return 0
        return None

    def terminate(self):
        os.kill(self.number, signal.SIGTERM)

    def kill(self):
        os.kill(self.number, signal.SIGKILL)

    def wait(self, seconds=20):
        end = time.monotonic() + seconds
        while self.poll() is None and time.monotonic() < end:
            time.sleep(0.02)


class ReplacedServer(Server):
    def owner(self):
        """The process that has the data folder."""
        return int((self.data / "sona.lock").read_text())

    def replace(self, seconds=30):
        """Has the running process start its successor; returns when it has ended. What it ended with."""
        before = self.process
        self.operator("drain", "--replace")
        end = time.monotonic() + seconds
        while before.poll() is None:
            if time.monotonic() > end:
                raise OSError(f"the process before does not end: {self.err.read_text()[-2000:]}")
            time.sleep(0.02)
        self.process = Adopted(self.owner())
        return before.poll()

    def events(self):
        """The names in the log so far."""
        import json
        return [json.loads(line)["event"] for line in self.err.read_text().splitlines() if line.startswith("{")]
