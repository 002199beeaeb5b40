"""Positions, and what is in force: Protocol/spec/playback.md."""
LAST = 2**53 - 1


def position(playback, now):
    gone = 0
    if playback["state"] == 1:
        gone = max(0, now - playback["anchor_us"]) * playback["rate_ppm"] // 1_000_000
    return min(max(playback["position_us"] + gone, 0), LAST)


def newer(revision, other):
    return 0 < (revision - other) % 2**32 < 2**31


class View:
    """One in force, and those to come, soonest first."""

    def __init__(self, playback, upcoming):
        self.current, self.upcoming = playback, sorted(upcoming, key=lambda p: p["anchor_us"])
        self.newest = playback
        for p in upcoming:
            if newer(p["revision"], self.newest["revision"]):
                self.newest = p

    def advance(self, now):
        while self.upcoming and self.upcoming[0]["anchor_us"] <= now:
            self.current = self.upcoming.pop(0)

    def apply(self, playback, now):
        self.advance(now)
        if newer(self.newest["revision"], playback["revision"]):
            return
        if playback["revision"] == self.newest["revision"]:
            return  # heard before
        self.newest = playback
        self.upcoming = [p for p in self.upcoming if p["anchor_us"] < playback["anchor_us"]]
        if playback["anchor_us"] <= now:
            self.current = playback
        else:
            self.upcoming.append(playback)

    def at(self, time):
        """The one that will be in force at a time that is not past."""
        force = self.current
        for p in self.upcoming:
            if p["anchor_us"] <= time:
                force = p
        return force
