"""A week with each change of clocks: every occurrence begins once, at its time of day, and its playlist plays."""
import datetime, time

from protocol_checks.helpers import Client, check, equal, true

from schedule_checks import stage
from schedule_checks.stage import Owner, Person, Watcher, in_ms, instant, now, set_clock, until

DAY = datetime.timedelta(days=1)
#: How long before something begins the clock is set, s: the server looks at it four times a second.
BEFORE = 0.6
#: How late something may begin, s, on a machine that is busy with other things.
LATE = 1.5


def expected(first):
    """(when, title, playlist) of the occurrences of a week, worked out by Python's copy of the database."""
    found = []
    for day in (first + place * DAY for place in range(7)):
        found.append((instant(f"{day}T02:30"), "Night", "Middle"))
        if day.isoweekday() in (3, 7):
            found.append((instant(f"{day}T20:00"), "Evening", "Low"))
        if day.isoweekday() == 6:
            found.append((instant(f"{day}T02:15", "Australia/Lord_Howe"), "Away", "High"))
    return sorted(found)


def week(first):
    # Nothing goes on then.
    set_clock(instant(f"{first}T00:30"))
    ada, bob = Owner(), Person()
    bob.data("people.follow", user=ada.uid)
    day = str(first - 7 * DAY)
    ada.add(f"{day}T02:30", 30, "Middle", title="Night", repeat={"every": "day"})
    ada.add(f"{day}T20:00", 60, "Low", title="Evening", zone=stage.HOME, repeat={"every": "week", "weekdays": [3, 7]})
    ada.add(f"{day}T02:15", 15, "High", title="Away", zone="Australia/Lord_Howe", repeat={"every": "week", "weekdays": [6]})
    known = ada.data("schedule.get", room=ada.room)
    equal(known["zone"], stage.HOME, "the server's own zone")
    wanted = expected(first)
    equal([(o["start_ms"], o["title"]) for o in known["occurrences"] if o["start_ms"] < in_ms(instant(f"{first + 7 * DAY}T00:00"))],
          [(in_ms(at), title) for at, title, _ in wanted], "what comes")
    before = stage.begun()
    with Watcher(ada) as watcher:
        for at, title, playlist in wanted:
            set_clock(at - datetime.timedelta(seconds=BEFORE))
            until(lambda: watcher.seat() == "none", f"nothing plays before {title} at {at}", BEFORE)
            until(lambda: watcher.seat() == "server", f"{title} begins at {at}")
            begins = now()
            lateness = (begins - at).total_seconds()
            true(-0.05 <= lateness < LATE, f"{title} is to begin at {at}, and begins {lateness:.2f} s later")
            until(lambda: watcher.playing() == playlist, f"{title} plays {playlist}, not {watcher.playing()}")
        last = wanted[-1][0]
        set_clock(last + datetime.timedelta(minutes=29, seconds=59))
        time.sleep(0.1)
        equal(watcher.seat(), "server", "a second before the end")
        until(lambda: watcher.seat() == "none", "it ends")
        true(now() >= last + datetime.timedelta(minutes=30), f"it ended at {now()}")
    equal(stage.begun() - before, len(wanted), "what has begun, by the metrics")
    ada.again().data("room.close", room=ada.room)
    told = bob.again().opened()
    equal([title for title, _ in told], [title for _, title, _ in wanted], "what a follower was told, each once")
    for (title, at), (when, _, _) in zip(told, wanted):
        true(-50 <= at - in_ms(when) < LATE * 1000, f"{title} of {when} was told {at - in_ms(when)} ms later")


@check("a week of March: the night that has no half past two among its hours, and all others")
def _():
    week(datetime.date(2027, 3, 24))


@check("a week of October: the night that has two, the first of which counts")
def _():
    week(datetime.date(2027, 10, 27))


@check("a clock that is put back: what is in the future again begins again, and nobody is told twice")
def _():
    begin = instant("2027-11-20T20:00")
    set_clock(begin - datetime.timedelta(hours=1))
    ada, bob = Owner(), Person()
    bob.data("people.follow", user=ada.uid)
    ada.add("2027-11-20T20:00", 60, "Low", title="Once")
    with Watcher(ada) as watcher:
        for _ in range(2):
            set_clock(begin - datetime.timedelta(minutes=1))
            until(lambda: watcher.seat() == "none", "nothing plays before")
            set_clock(begin - datetime.timedelta(seconds=BEFORE))
            until(lambda: watcher.playing() == "Low", "it plays")
    equal(len(bob.again().opened()), 1, "what a follower was told")
