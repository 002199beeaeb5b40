"""Whether sound was late because of the page, or because other programs had the processors."""
import pathlib, time

from support import Fault

#: Where programs waited for a processor in so much of a time, sound may be late whatever the page does.
BUSY = 0.3
#: How often something is heard on such a machine.
GOES = 4
KERNEL = pathlib.Path("/proc/pressure/cpu")


class Late(Exception):
    """Sound was late."""


class Unrecorded(Exception):
    """The recording of a sound has a hole: it says nothing of the page, and is made again."""


class Pressure:
    """For which part of the time since then some program waited for a processor, proc(5). 0 if the kernel does not tell."""

    def __init__(self):
        self.begun, self.before = time.monotonic(), self._total()

    @staticmethod
    def _total():
        try:
            return int(KERNEL.read_text().split("total=")[1].split()[0])
        except OSError:
            return 0

    def share(self):
        return (self._total() - self.before) / 1e6 / max(1e-3, time.monotonic() - self.begun)


def fairly(attempt):
    """What `attempt()` returns. If it is `Late`, that is a fault; on a machine that was busy meanwhile it is attempted again,
    and so it is wherever it was not recorded whole."""
    for go in range(1, GOES + 1):
        pressure = Pressure()
        try:
            return attempt()
        except Unrecorded as hole:
            if go == GOES:
                raise Fault(str(hole)) from None
            print(f"        heard again, {hole}", flush=True)
        except Late as late:
            share = pressure.share()
            told = f"{late} (programs waited for a processor for {share:.0%} of the time)"
            if share < BUSY or go == GOES:
                raise Fault(told) from None
            print(f"        heard again, the machine was busy: {told}", flush=True)
