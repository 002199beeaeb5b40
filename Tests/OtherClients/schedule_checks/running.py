"""What is changed while it goes on, what overlaps, and people in the seat."""
import datetime, functools, json, os, struct, subprocess, time

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, true

from schedule_checks import stage
from schedule_checks.stage import Owner, Person, Watcher, local, now, set_clock, until

STREAM = {"codec": "opus", "channels": 2, "pre_skip": 312}


@functools.cache
def owner():
    """Of the room of most checks: each leaves it without slots, and with nothing that plays."""
    return Owner()


def minute():
    """The minute that goes on. It lasts for 20 s at least, so that nothing ends in between."""
    if now().second > 40:
        set_clock(now() + datetime.timedelta(seconds=20))
    return local(now())


@check("a slot that is added, changed and removed while it goes on takes effect at once")
def _():
    ada = owner()
    with Watcher(ada) as watcher, Client() as inside:
        inside.data("room.join", {"room": ada.room})
        slot = ada.add(minute(), 10, "Low", title="Now")
        told = inside.event("schedule.changed")["data"]
        equal((told["now"]["title"], told["next"]), ("Now", None), "members are told")
        until(lambda: watcher.playing() == "Low", "it plays")
        true(inside.packets(20), "a member hears it")
        ada.data("schedule.update", room=ada.room, slot=slot["id"], start=slot["start"], duration_s=600, playlist=ada.lists["High"])
        until(lambda: watcher.playing() == "High", "the other playlist", 3)
        ada.data("schedule.remove", room=ada.room, slot=slot["id"])
        equal(watcher.seat(), "none", "after it was removed")
        equal(inside.event("schedule.changed", fits=lambda d: d["now"] is None)["data"], {"now": None, "next": None}, "members are told")
        ada.refused("schedule.not_found", "schedule.remove", room=ada.room, slot=slot["id"])


@check("of slots that overlap the one that began last plays, then the one below it, then what autoplay.set says")
def _():
    ada = owner()
    ada.data("autoplay.set", room=ada.room, on=True, playlist=ada.lists["High"])
    with Watcher(ada) as watcher:
        until(lambda: watcher.playing() == "High", "as it was set")
        start = now() - datetime.timedelta(minutes=2)
        below = ada.add(local(start), 60, "Low")
        until(lambda: watcher.playing() == "Low", "a slot")
        above = ada.add(minute(), 60, "Middle")
        until(lambda: watcher.playing() == "Middle", "the slot that began last")
        ada.data("autoplay.set", room=ada.room, on=False)
        talk = ada.add(minute(), 60)
        time.sleep(0.3)
        equal(watcher.playing(), "Middle", "a slot without a playlist, and autoplay off")
        for slot, title in ((talk, "Middle"), (above, "Low")):
            ada.data("schedule.remove", room=ada.room, slot=slot["id"])
            until(lambda: watcher.playing() == title, f"then {title}")
        ada.data("schedule.remove", room=ada.room, slot=below["id"])
        until(lambda: watcher.seat() == "none", "then nothing")


@check("what people put into the queue plays first and is not cut")
def _():
    ada = owner()
    ada.data("queue.add", room=ada.room, tracks=[{"track": {"title": "x"}, "source": ada.tracks["High"]}])
    with Watcher(ada) as watcher:
        slot = ada.add(minute(), 10, "Low")
        until(lambda: watcher.playing() == "High", "somebody's choice")
        ada.data("schedule.update", room=ada.room, slot=slot["id"], start=slot["start"], duration_s=600, playlist=ada.lists["Middle"])
        time.sleep(0.5)
        equal(watcher.playing(), "High", "after a change of the playlist")
        ada.data("queue.next", room=ada.room)
        until(lambda: watcher.playing() == "Middle", "then the playlist")
        ada.data("schedule.remove", room=ada.room, slot=slot["id"])


@check("a person in the seat is not put out; the playlist waits until they leave")
def _():
    ada = owner()
    with Watcher(ada) as watcher, Client(ada.token) as host:
        host.data("room.join", {"room": ada.room})
        epoch = host.data("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "By hand"}})["epoch"]
        for number in range(20):
            host.binary(struct.pack(">BBHIqI", 0x20, 0, epoch, number, number * 960, 960) + b"\xfc\xff\xfe")
        slot = ada.add(minute(), 10, "Low")
        time.sleep(0.5)
        equal(watcher.seat(), "here", "the seat")
        host.data("host.stop")
        until(lambda: watcher.playing() == "Low", "the playlist")
        ada.data("schedule.remove", room=ada.room, slot=slot["id"])
        until(lambda: watcher.seat() == "none", "nothing")


@check("nothing plays and nobody is told where the playlist is gone, the room is closed or its owner is banned")
def _():
    fan = Person()
    for what in ("playlist", "room", "owner"):
        ada = Owner()
        fan.data("people.follow", user=ada.uid)
        at = now().replace(second=0, microsecond=0) + datetime.timedelta(minutes=1)
        ada.add(local(at), 10, "Low", title=what)
        with Watcher(ada) as watcher:
            if what == "playlist":
                ada.data("playlist.delete", playlist=ada.lists["Low"])
            elif what == "room":
                ada.data("room.close", room=ada.room)
            else:
                stage.SERVER.operator("user", "ban", f"@{ada.name}")
            set_clock(at - datetime.timedelta(seconds=0.3))
            if what == "playlist":
                until(lambda: watcher.seat() == "server", "the server takes the seat")
                time.sleep(0.5)
                equal(watcher.playing(), None, "what plays")
            else:
                time.sleep(1)
                watcher.refused("room.closed" if what == "room" else "room.not_found", "room.get", {"room": ada.room})
    told = [title for title, _ in fan.again().opened()]
    equal(told, ["playlist"], "what a follower was told: the room of the playlist that is gone opens all the same")


@check("the list of what comes has public rooms, by who is asked for, the first first")
def _():
    fan, ada, bob, cyd = Person(), Owner(), Owner(), Owner(visibility="private")
    fan.data("people.follow", user=bob.uid)
    soon = now() + datetime.timedelta(days=1)
    ada.add(local(soon + datetime.timedelta(hours=1)), 60, title="Later")
    bob.add(local(soon), 60, title="Sooner")
    bob.add(local(soon + datetime.timedelta(minutes=5)), 60, title="Once more")
    cyd.add(local(soon), 60, title="Hidden")
    rooms = {one.room: one.name for one in (ada, bob, cyd)}
    def seen(who, **fields):
        found = who.data("schedule.upcoming", limit=50, **fields)["rooms"]
        return [(rooms[one["room"]["id"]], one["occurrence"]["title"]) for one in found if one["room"]["id"] in rooms]
    equal(seen(fan), [(bob.name, "Sooner"), (ada.name, "Later")], "all")
    equal(seen(fan, scope="following"), [(bob.name, "Sooner")], "of whom one follows")
    bob.data("people.block", user=fan.uid)
    equal(seen(fan), [(ada.name, "Later")], "without those who have blocked the caller")
    with Client() as guest:
        guest.refused("auth.account_required", "schedule.upcoming", {"scope": "following"})


@check("days and zones that there are not are refused, and the 201st slot")
def _():
    ada = owner()
    slot = {"room": ada.room, "start": "2028-01-01T20:00", "duration_s": 60}
    for code, fields in (("request.invalid", {"start": "2027-02-29T20:00"}), ("request.invalid", {"start": "2028-01-01T24:00"}),
                         ("schedule.zone_unknown", {"zone": "Mars/Olympus"}), ("schedule.zone_unknown", {"zone": "../../etc/localtime"}),
                         ("request.invalid", {"repeat": {"every": "day", "until": "2027-12-31"}}),
                         ("playlist.not_found", {"playlist": "01JDHV6Z3Q8R5W7XK2M4N9P0TA"})):
        ada.refused(code, "schedule.add", **slot | fields)
    for _ in range(200):
        ada.data("schedule.add", **slot)
    ada.refused("schedule.full", "schedule.add", **slot)
    equal(len(ada.data("schedule.get", room=ada.room)["slots"]), 200, "slots")


@check("sonactl adds a slot, lists it with its times, changes and removes it")
def _():
    ada = owner()
    def sonactl(*words, status=0):
        done = subprocess.run([stage.PROGRAMS / "sonactl", "rooms", "schedule", *words, "--server", helpers.URL, "--token", ada.token],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, env=os.environ | {"XDG_CONFIG_HOME": str(stage.FOLDER)})
        equal(done.returncode, status, f"sonactl {words}: {done.stderr[-300:]}")
        return done.stdout
    for slot in ada.data("schedule.get", room=ada.room)["slots"]:
        ada.data("schedule.remove", room=ada.room, slot=slot["id"])
    day = (now() + datetime.timedelta(days=2)).strftime("%Y-%m-%dT20:00")
    made = sonactl("add", ada.room, day, "--for", "1h30m", "--weekly", "mon,tue,wed,thu,fri,sat,sun", "--until", "2099-12-31",
                   "--zone", "America/New_York", "--title", "Late", "--playlist", ada.lists["Low"]).strip()
    known = ada.data("schedule.get", room=ada.room)
    equal(known["slots"], [{"id": made, "title": "Late", "start": day, "zone": "America/New_York", "duration_s": 5400, "playlist": ada.lists["Low"],
                            "repeat": {"every": "week", "weekdays": [1, 2, 3, 4, 5, 6, 7], "until": "2099-12-31"}}], "the slot")
    lines = sonactl("list", ada.room).splitlines()
    equal(lines[0].split("  "), [made, day, "America/New_York", "1h30m", "weekly mon,tue,wed,thu,fri,sat,sun until 2099-12-31", ada.lists["Low"], "Late"], "its line")
    equal(len(lines), 2 + len(known["occurrences"]), "lines of times")
    sonactl("update", ada.room, made, day, "--for", "2h", "--daily")
    equal(json.loads(sonactl("list", ada.room, "--json"))["slots"][0]["repeat"], {"every": "day"}, "after a change")
    true(ada.room in sonactl("upcoming"), "what comes")
    sonactl("add", ada.room, day, "--for", "1x", status=64)
    sonactl("remove", ada.room, made)
    equal(ada.data("schedule.get", room=ada.room)["slots"], [], "after it was removed")
