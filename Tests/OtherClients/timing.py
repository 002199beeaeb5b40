"""The server's time, learnt by probes: Protocol/spec/time.md."""
import struct, time

from websocket import BINARY


def clock():
    """The client's clock: microseconds, never set."""
    return time.monotonic_ns() // 1000


class Time:
    """The offset to the server's clock: eight probes after 0, 1 and 4 s, then every 10 s; the shortest way wins."""
    def __init__(self, ws):
        self.ws, self.offset, self.rtt, self.moved = ws, None, None, clock()
        self.target, self.probe, self.sent, self.left, self.best = None, 0, None, 9, None  # the first is thrown away
        self.due, self.waits = 0, [1_000_000, 3_000_000]

    def now(self):
        """The server's time. Moves towards the newest result by at most 0.5 ms a second, jumps if 30 ms off."""
        now = clock()
        if self.target != self.offset:
            step, error = (now - self.moved) // 2000, self.target - self.offset
            if abs(error) > 30_000 or step:
                self.offset, self.moved = self.offset + max(-step, min(step, error)), now
                self.offset = self.target if abs(error) > 30_000 else self.offset
        else:
            self.moved = now
        return now + self.offset

    def tick(self):
        """Sends the next probe if it is time: when the last was answered, or a second later."""
        now = clock()
        if now >= self.due and (self.sent is None or now - self.sent > 1_000_000):
            self.probe, self.sent = (self.probe + 1) % 65536, now
            self.ws.send(BINARY, struct.pack(">BxHq", 1, self.probe, now))

    def answer(self, message, t4):
        """Takes a TIME_RSP."""
        probe, t1, t2, t3 = struct.unpack(">xxHqqq", message)
        if probe != self.probe or self.sent is None:
            return
        self.sent, self.left = None, self.left - 1
        if self.left < 8:
            self.best = min(self.best or (1 << 62, 0), ((t4 - t1) - (t3 - t2), ((t2 - t1) + (t3 - t4)) // 2))
        if self.left == 0:
            self.rtt, self.target = self.best
            self.offset = self.target if self.offset is None else self.offset
            self.left, self.best = 8, None
            self.due = clock() + (self.waits.pop(0) if self.waits else 10_000_000)
