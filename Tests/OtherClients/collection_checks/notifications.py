"""notifications.md: told live on every connection, to whoever was away exactly once, and as one wants it."""
import struct

from protocol_checks.helpers import Client, check, equal, true
from protocol_checks.host import STREAM

from collection_checks.stage import Person, guest, refused


def told(client, seconds=0.5):
    """The notifications that events tell within that time."""
    client.silent(seconds)
    return [m["data"]["notification"] for m in client.inbox if isinstance(m, dict) and m["type"] == "notification.added"]


@check("a new follower is told on every connection, with the number of the unread")
def _():
    ada, bob = Person(), Person()
    with Client(ada.token) as one, Client(ada.token) as two, Client(bob.token) as other:
        bob.data("people.follow", user=ada.uid)
        for client in (one, two):
            event = client.event("notification.added")["data"]
            equal((event["notification"]["kind"], event["notification"]["from"]["username"], event["unread"]),
                  ("follower", bob.name, 1), "the event")
        equal(told(other), [], "at whoever follows")
        one.data("notifications.read")
        equal(two.event("notifications.changed")["data"], {"unread": 0}, "on the other device")
    equal([n["read"] for n in ada.notifications()], [True], "the list")
    with Client(ada.token) as later:
        equal(told(later), [], "it was told before")


@check("whoever was away is told of all at the next sign-in, once, in order")
def _():
    ada, others = Person(), [Person() for _ in range(3)]
    for other in others:
        other.data("people.follow", user=ada.uid)
    with Client(ada.token) as first, Client(ada.token) as second:
        events = [first.event("notification.added")["data"] for _ in others]
        equal([e["notification"]["from"]["username"] for e in events], [o.name for o in others], "the order")
        equal([e["unread"] for e in events], [1, 2, 3], "the number of the unread")
        # Whoever came second may have come before the first was told, and never hears a part of it twice.
        names = [n["from"]["username"] for n in told(second)]
        true(names in ([], [o.name for o in others]), f"the other connection was told of {names}")
    with Client(ada.token) as third:
        equal(told(third), [], "told again")


@check("one who lost the connection is told when they come back, whether or not they resume")
def _():
    for resumes in (True, False):
        ada, bob = Person(), Person()
        lost = Client(ada.token)
        resume = lost.welcome["resume_token"]
        lost.ws.socket.close()
        bob.data("people.follow", user=ada.uid)
        with Client(ada.token, resume={"token": resume} if resumes else None) as back:
            equal(back.event("notification.added")["data"]["notification"]["kind"], "follower", "the event")
            equal(told(back), [], "once more")


@check("followers hear of a host who goes live, guests and the blocked hear of nothing")
def _():
    ada, bob, cyd = Person(), Person(), Person()
    bob.data("people.follow", user=ada.uid)
    cyd.data("people.follow", user=ada.uid)
    ada.data("people.block", user=cyd.uid)
    room = ada.data("room.create", title="Late", visibility="public")["room"]["id"]
    with Client(bob.token) as fan, Client(cyd.token) as blocked, Client(ada.token) as host:
        host.data("room.join", {"room": room})
        epoch = host.data("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "Harbour"}})["epoch"]
        for number in range(20):
            host.binary(struct.pack(">BBHIqI", 0x20, 0, epoch, number, number * 960, 960) + b"\xfc\xff\xfe")
        notification = fan.event("notification.added", 20)["data"]["notification"]
        equal((notification["kind"], notification["room"], notification["title"], notification["from"]["username"]),
              ("host_live", room, "Late", ada.name), "the event")
        equal(told(blocked), [], "the blocked")
    refused("auth.account_required", "notifications.list", token=guest())


@check("a kind that is switched off is not kept, and unknown kinds are refused")
def _():
    ada, bob = Person(), Person()
    found = ada.data("notifications.configure", kind="follower", show=False)
    equal([k for k in found["kinds"] if not k["show"]], [{"kind": "follower", "show": False, "mail": False}], "the answer")
    bob.data("people.follow", user=ada.uid)
    equal(ada.notifications(), [], "the list")
    ada.refused("request.invalid", "notifications.configure", kind="weather", show=False)
    equal(ada.data("notifications.preferences"), found, "the preferences")


@check("notifications are one's own")
def _():
    ada, bob, cyd = Person(), Person(), Person()
    bob.data("people.follow", user=ada.uid)
    number = ada.notifications()[0]["id"]
    cyd.data("notifications.read", ids=[number])
    cyd.data("notifications.remove", ids=[number])
    equal([n["read"] for n in ada.notifications()], [False], "touched by somebody else")
    equal(ada.data("notifications.remove", ids=[number]), {"unread": 0}, "the answer")
    equal(ada.notifications(), [], "the list")
