"""The careful filter and the burst of Protocol/spec/time.md, in decimal numbers of sixty digits.

So what it gives is exact for every purpose, and shares neither code nor rounding with those that are to be proven.
"""
from decimal import Decimal, getcontext

getcontext().prec = 60
WIDE = 2**63


def held(time):
    """A time as an i64."""
    return max(-WIDE, min(WIDE - 1, time))


def nearest(number):
    return int(number.to_integral_value())


class Doubtful(Exception):
    """A decision so close that two right implementations may differ: no case for a vector."""


def clearly(left, right, slack):
    """Whether left > right, where that is beyond doubt."""
    if abs(left - right) <= slack:
        raise Doubtful(f"{left} and {right}")
    return left > right


class Filter:
    def __init__(self):
        self.clock_id = None
        self.forget()

    def forget(self):
        self.n, self.last, self.strikes, self.rtt = 0, 0, 0, 0
        self.o = self.d = self.p00 = self.p01 = self.p11 = Decimal(0)

    def begin(self, clock_id):
        if clock_id != self.clock_id:
            self.clock_id = clock_id
            self.forget()

    def add(self, t1, t2, t3, t4):
        round_trip = (t4 - t1) - (t3 - t2)
        if round_trip < 0 or self.n > 0 and t4 <= self.last:
            return
        z = Decimal((t2 - t1) + (t3 - t4)) / 2
        b = max(Decimal(1), Decimal(round_trip) / 2)
        r = (b / 2) ** 2
        dt = Decimal(t4 - self.last)
        if self.n > 0:
            if clearly(abs(z - self.o - self.d * dt), 100_000 + b, Decimal("0.01")):
                self.strikes += 1
                if self.strikes < 2:
                    return
                self.forget()
            else:
                self.strikes = 0
        if self.n == 0:
            self.o, self.d, self.p00, self.p01, self.p11 = z, Decimal(0), r, Decimal(0), Decimal(0)
        elif self.n == 1:
            self.d, self.o = (z - self.o) / dt, z
            self.p11, self.p00, self.p01 = (self.p00 + r) / dt**2, r, Decimal(0)
        else:
            self.o += self.d * dt
            self.p00 += 2 * self.p01 * dt + self.p11 * dt**2
            self.p01 += self.p11 * dt
            self.p11 += Decimal("1e-22") * dt
            residual = z - self.o
            if self.n >= 100 and clearly(abs(residual), 3 * b, Decimal("1e-6")):
                self.p00, self.p01, self.p11 = 4 * self.p00, 4 * self.p01, 4 * self.p11
            k0, k1 = self.p00 / (self.p00 + r), self.p01 / (self.p00 + r)
            self.o, self.d = self.o + k0 * residual, self.d + k1 * residual
            self.p11, self.p01, self.p00 = self.p11 - k1 * self.p01, self.p01 - k0 * self.p01, self.p00 - k0 * self.p00
        self.last, self.rtt, self.n = t4, round_trip, self.n + 1

    @property
    def drift(self):
        if self.d == 0:
            return Decimal(0)
        limit = 4 * self.p11
        return self.d if clearly(self.d**2, limit, limit * Decimal("1e-6")) else Decimal(0)

    def server(self, local):
        return held(local + nearest(self.o + self.drift * (local - self.last))) if self.n else local

    def local(self, server):
        if not self.n:
            return server
        return held(self.last + nearest((server - self.last - self.o) / (1 + self.drift)))

    @property
    def sigma(self):
        return self.p00.sqrt()

    @property
    def error(self):
        """`clock.error_us` of a report."""
        return (self.rtt + 1) // 2 + int(self.sigma.to_integral_value(rounding="ROUND_CEILING"))


class Burst:
    """Eight probes, one after the other, of which the one with the shortest round trip counts."""

    def __init__(self):
        self.sent, self.awaited, self.left, self.best = 0, None, 0, None

    def send(self):
        self.sent += 1
        self.awaited, self.left = self.sent, self.left - 1
        return "send"

    def begin(self):
        self.left, self.best = 8, None
        return self.send()

    def take(self, probe, sample):
        if probe != self.awaited:
            return "ignore"
        t1, t2, t3, t4 = sample
        round_trip = (t4 - t1) - (t3 - t2)
        if round_trip >= 0 and (self.best is None or round_trip < self.best[0]):
            self.best = (round_trip, sample)
        if self.left:
            return self.send()
        return self.give_up() or "ignore"

    def give_up(self):
        best, self.best, self.awaited = self.best, None, None
        return list(best[1]) if best else None
