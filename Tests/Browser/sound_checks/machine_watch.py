"""How late the machine lets a thread run that is due, and before all others: what no program on it can do anything about."""
import os, subprocess, sys, threading, time

#: How often it looks, s.
STEP = 0.002


class MachineWatch:
    """Looks from the start to the end of a `with`. `worst()` is the most since it was last asked, ms."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, text=True)
        self.most = 0.0
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def _read(self):
        for line in self.process.stdout:
            self.most = max(self.most, float(line))

    def worst(self):
        most, self.most = self.most, 0.0
        return most


def look():
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
    except PermissionError:
        pass  # Then others on this machine are in it, too.
    end, most = time.monotonic() + 0.25, 0.0
    while True:
        begin = time.monotonic()
        time.sleep(STEP)
        now = time.monotonic()
        most = max(most, now - begin - STEP)
        if now > end:
            print(most * 1000, flush=True)
            end, most = now + 0.25, 0.0


if __name__ == "__main__":
    look()
