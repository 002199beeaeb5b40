"""A server that may be killed and comes back."""
import re, subprocess, time

from account_checks.server import Server


class MortalServer(Server):
    def kill(self):
        """SIGKILL: nothing of it gets to say anything."""
        self.process.kill()
        self.process.wait()

    def revive(self):
        """Starts it again with the same options, on the same data folder and address."""
        before = len(self.out.read_text())
        address = self.url.removeprefix("http://")
        with self.out.open("ab") as out, self.err.open("ab") as err:
            self.process = subprocess.Popen(
                [self.programs / "sona", "serve", "--data", self.data, "--listen", address, *self.arguments],
                stdout=out, stderr=err)
        end = time.monotonic() + 20
        while not re.search(r"^listening on ", self.out.read_text()[before:], re.M):
            if self.process.poll() is not None or time.monotonic() > end:
                raise OSError(f"no server: {self.err.read_text()}")
            time.sleep(0.02)
