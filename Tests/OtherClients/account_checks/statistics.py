"""Whether two lots of times differ."""
import math


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def rank_test(one, other):
    """Mann and Whitney's two-sided p, by the normal distribution: how likely as great a difference is by chance."""
    ranked = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = sum(rank for rank, (_, lot) in enumerate(ranked, 1) if lot == 0)
    m, n = len(one), len(other)
    z = (ranks - m * (m + n + 1) / 2) / math.sqrt(m * n * (m + n + 1) / 12)
    return math.erfc(abs(z) / math.sqrt(2))


class Comparison:
    """Times of two lots, in seconds."""
    def __init__(self, one, other):
        self.medians, self.p = (median(one), median(other)), rank_test(one, other)
        self.difference = self.medians[1] / self.medians[0] - 1

    def __str__(self):
        return (f"medians {self.medians[0] * 1000:.3f} and {self.medians[1] * 1000:.3f} ms, {self.difference:+.2%}, "
                f"p = {self.p:.3f}")

    def is_alike(self, share):
        """Medians within `share` of each other, or a difference that chance explains."""
        return abs(self.difference) < share or self.p > 0.01
