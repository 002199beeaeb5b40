"""Accounts that host slots: asked, told, let in, and given the seat while their slot goes on."""
import datetime, urllib.request

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, true

from schedule_checks.running import STREAM
from schedule_checks.stage import Owner, Person, local, now, set_clock, until


def told(person, kind):
    found = person.data("notifications.list", limit=100)["notifications"]
    return [(one["title"], one["result"]) for one in reversed(found) if one["kind"] == kind]


def duty(person):
    return person.data("schedule.duties")["duties"][0]


class Inside:
    """What goes on in a private room, as its owner sees it."""

    def __init__(self, owner):
        self.owner = owner

    def now(self):
        return self.owner.data("room.get", room=self.owner.room)

    def seat(self):
        return self.now()["room"]["host_state"]

    def playing(self):
        return ((self.now()["now_playing"] or {}).get("track") or {}).get("title")


def takes(client):
    """Takes the seat; gives the code of a refusal."""
    reply = client.ask("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "Mine"}})
    return reply["error"]["code"] if reply["type"] == "error" else "ok"


@check("who is named is asked, answers, and is asked again when the times change; others see who has accepted")
def _():
    ada, bob, cyd = Owner(title="Asked"), Person(), Person()
    slot = ada.add("2099-01-01T20:00", 60, title="Late", dj=f"@{bob.name}")
    equal((slot["dj"]["user"]["uid"], slot["dj"]["state"]), (bob.uid, "asked"), "the slot")
    equal(told(bob, "dj_asked"), [("Late", None)], "Bob is asked")
    seen = lambda person: person.data("schedule.get", room=ada.room)["slots"][0].get("dj")
    equal(seen(cyd), None, "to others nobody is named yet")
    equal(seen(bob)["state"], "asked", "to Bob")
    cyd.refused("schedule.not_found", "schedule.answer", slot=slot["id"], accept=True)
    equal(duty(bob)["slot"]["id"], slot["id"], "his duties")
    bob.data("schedule.answer", slot=slot["id"], accept=False)
    equal(told(ada, "dj_answered"), [("Late", "declined")], "Ada is told")
    bob.data("schedule.answer", slot=slot["id"], accept=True)
    equal(told(ada, "dj_answered")[1:], [("Late", "accepted")], "and again")
    equal(seen(cyd)["user"]["uid"], bob.uid, "others see who has accepted")
    again = dict(room=ada.room, slot=slot["id"], start=slot["start"], duration_s=3600, dj=bob.uid)
    equal(ada.data("schedule.update", **again | {"title": "Later"})["slot"]["dj"]["state"], "accepted", "another title")
    equal(ada.data("schedule.update", **again | {"duration_s": 7200})["slot"]["dj"]["state"], "asked", "another length")
    equal(len(told(bob, "dj_asked")), 2, "he is asked again")
    calendar = lambda: urllib.request.urlopen(f"{helpers.URL}/v1/rooms/{ada.room}/calendar.ics", timeout=5).read().decode().replace("\r\n ", "")
    true(f"DJ: {bob.name}" not in calendar(), "the calendar before he accepts")
    bob.data("schedule.answer", slot=slot["id"], accept=True)
    true(f"DJ: {bob.name}" in calendar(), "the calendar")
    equal(ada.data("schedule.add", room=ada.room, start="2099-01-02T20:00", duration_s=60, dj=ada.uid)["slot"]["dj"]["state"], "accepted", "oneself")
    ada.refused("user.not_found", "schedule.add", room=ada.room, start="2099-01-02T20:00", duration_s=60, dj="@nobody_of_this_name")
    bob.data("people.block", user=ada.uid)
    ada.refused("user.not_found", "schedule.add", room=ada.room, start="2099-01-02T20:00", duration_s=60, dj=bob.uid)


@check("a DJ is told ten minutes before, comes into a private room, has the seat while the slot goes on, and hands it to the next")
def _():
    set_clock(now().replace(second=0, microsecond=0) + datetime.timedelta(minutes=1))
    ada, bob, cyd = Owner(title="Booth", visibility="private"), Person(), Person()
    start = now().replace(second=0, microsecond=0) + datetime.timedelta(minutes=20)
    first = ada.add(local(start), 30, "Low", title="First", dj=bob.uid)
    second = ada.add(local(start + datetime.timedelta(minutes=30)), 30, "High", title="Second", dj=cyd.uid)
    for person, slot in ((bob, first), (cyd, second)):
        person.data("schedule.answer", slot=slot["id"], accept=True)
    with Client(bob.token) as early:
        early.refused("room.not_found", "room.join", {"room": ada.room})
    set_clock(start - datetime.timedelta(minutes=9, seconds=50))
    until(lambda: told(bob.again(), "dj_soon") == [("First", None)], "Bob is told before")
    equal(told(cyd.again(), "dj_soon"), [], "Cyd is not")
    with Client(bob.token) as dj, Client(cyd.token) as other:
        dj.data("room.join", {"room": ada.room})
        other.refused("room.not_found", "room.join", {"room": ada.room})
        equal(takes(dj), "room.forbidden", "before the slot begins")
        set_clock(start + datetime.timedelta(seconds=2))
        until(lambda: told(bob.again(), "dj_now") == [("First", None)], "he is told that it begins")
        ada.again()
        watcher = Inside(ada)
        with Client(ada.token):
            until(lambda: watcher.playing() == "Low", "the playlist fills the seat")
            equal(takes(dj), "ok", "he takes the seat from the server")
            until(lambda: watcher.seat() == "here", "the seat")
            dj.refused("room.forbidden", "invite.create", {"room": ada.room})
            dj.data("host.stop")
            until(lambda: watcher.playing() == "Low", "the playlist again")
            equal(takes(dj), "ok", "he may take it again")
            set_clock(start + datetime.timedelta(minutes=30, seconds=2))
            until(lambda: told(cyd.again(), "dj_now") == [("Second", None)], "the next slot begins")
            ada.again()
            equal(watcher.seat(), "here", "who has the seat keeps it")
            with Client(cyd.token) as next_:
                next_.data("room.join", {"room": ada.room})
                equal(takes(next_), "ok", "the next DJ takes it")
                equal(dj.event("host.lost_seat")["data"]["reason"], "handed_over", "Bob is told")
                equal(takes(dj), "room.forbidden", "his slot is over")
                next_.data("host.stop")
                until(lambda: watcher.playing() == "High", "the playlist of the slot", 20)
                set_clock(start + datetime.timedelta(minutes=61))
                ada.again()
                until(lambda: watcher.seat() == "none", "the slot ends")
                equal(takes(next_), "room.forbidden", "after its end")


@check("an account that is removed hosts no slot any more, and what it hosts is in its export")
def _():
    ada, bob = Owner(title="Left"), Person()
    slot = ada.add("2099-01-01T20:00", 60, dj=bob.uid)
    bob.data("schedule.answer", slot=slot["id"], accept=True)
    export = bob.data("account.export")
    mine = export["export"]["dj_slots"]
    equal([(one["room"], one["slot"]["id"]) for one in mine], [(ada.room, slot["id"])], "the export")
    bob.data("account.remove", code=export["code"])
    equal(ada.data("schedule.get", room=ada.room)["slots"][0].get("dj"), None, "nobody is named")
