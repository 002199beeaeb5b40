"""resuming.md: going on after a lost connection."""
import time

from protocol_checks.helpers import Client, account, check, equal, true
from protocol_checks.host import STREAM, Host


def lose(client):
    """The connection is cut, without a word."""
    client.ws.socket.close()


def come_back(client, token=None, **point):
    return Client(token or client.welcome["access_token"], resume={"token": client.welcome["resume_token"]} | point)


def room_events(client):
    """Those that came so far. A probe's answer may overtake events; that of a request does not."""
    client.refused("request.unknown", "nothing.known")
    return [m for m in client.inbox if isinstance(m, dict) and "room" in m and "seq" in m]


@check("whoever is cut off comes back into the same room as the same session, and hears each packet once")
def _():
    c = Client()
    true("resume" in c.welcome["features"] and c.welcome["resume_s"] >= 10, "the feature")
    true("resumed" not in c.welcome and "stay" not in c.welcome, "nothing was asked")
    snapshot, token = c.data("room.join", {"room": "@demo"}), c.welcome["access_token"]
    for pause in (0, 0.3, 0.6, 1.5):
        last = c.packets(60, 3)[-1]
        lose(c)
        time.sleep(pause)
        here = time.monotonic()
        d = come_back(c, token, room_seq=snapshot["seq"], packet_seq=last.seq)
        equal(d.welcome["resumed"], True, "resumed")
        equal(d.welcome["session"], c.welcome["session"], "session")
        equal(d.welcome["stay"]["room"], snapshot["room"]["id"], "room")
        packets = d.packets(40, 3)
        true(time.monotonic() - here < 2, "it took long")
        again = [p for p in packets if p.flags & 16]
        late = [p for p in again if p.flags & 2]
        equal([p.seq - packets[0].seq for p in packets], list(range(40)), "seq")
        true(not any(p.flags & 18 for p in packets[len(again):]), "REPLAY after what was live")
        if packets[0].seq == last.seq + 1:
            true(len(late) <= 8 and not packets[0].flags & 1, f"{len(late)} late, flags {packets[0].flags}")
        else:
            true(packets[0].seq > last.seq and len(late) == 8 and packets[0].flags & 1, "a new beginning")
        true((packets[0].seq == last.seq + 1) == (pause < 1), f"after {pause} s it begins with {packets[0].seq - last.seq}")
        c = d
    with c:
        c.data("room.leave")


@check("what happened meanwhile comes in order, to the byte, and nothing of it twice")
def _():
    with Host() as h, Client() as witness:
        h.start()
        a, b = h.listener, witness
        b.data("room.join", {"room": h.room})
        seen = room_events(a)[-1]["seq"]
        lose(a)
        for text in ("one", "two", "three"):
            h.client.data("host.track", {"track": {"title": text}})
        with come_back(a, room_seq=seen) as back:
            missed = room_events(back)
            equal(missed, [m for m in room_events(b) if m["seq"] > seen][:len(missed)], "events")
            equal([m["seq"] for m in missed], list(range(seen + 1, back.welcome["stay"]["seq"] + 1)), "seq")
            true(len(missed) >= 3 and "snapshot" not in back.welcome["stay"], "as many as there were")
            with come_back(back, a.welcome["access_token"], room_seq=back.welcome["stay"]["seq"] + 1) as third:
                true("snapshot" in third.welcome["stay"], "who claims more than there is gets a snapshot")
                equal(third.welcome["stay"]["snapshot"]["seq"], third.welcome["stay"]["seq"], "seq")
                back.closes(4409)
        with come_back(third, a.welcome["access_token"]) as left:
            equal(left.welcome["resumed"], False, "after a goodbye")


@check("a token that is none, or another's, is no error; a session is its user's alone")
def _():
    with Client() as thief:
        a = Client()
        a.data("room.join", {"room": "@demo", "audio": False})
        lose(a)
        token = a.welcome["resume_token"]
        for auth, wrong in [("guest", token), (thief.welcome["access_token"], token), (None, token),
                            (a.welcome["access_token"], token[:-1]), (a.welcome["access_token"], "A" + token[1:] + "A"),
                            (a.welcome["access_token"], "\U0001F600" * 128)]:
            with Client(auth, resume={"token": wrong}) as c:
                equal(c.welcome["resumed"], False, "resumed")
                true("stay" not in c.welcome and c.welcome["session"] != a.welcome["session"], "a fresh session")
        with come_back(a) as back:
            equal(back.welcome["resumed"], True, "resumed")
            back.data("room.leave")


@check("resume without a token, or with numbers that are none, is request.invalid, and hello may be tried again")
def _():
    with Client(hello=False) as c:
        for bad, field in [({}, "token"), ({"token": ""}, "token"), ({"token": "t" * 513}, "token"),
                           ({"token": "t", "packet_seq": 2**32}, "packet_seq"),
                           ({"token": "t", "room_seq": -1}, "room_seq"), ({"token": "t", "session_seq": "1"}, "session_seq")]:
            data = {"client": {"name": "checks", "version": "1"}, "auth": {"guest": True}, "resume": bad}
            c.refused("request.invalid", "hello", data, field=f"data.resume.{field}")
        c.data("hello", {"client": {"name": "checks", "version": "1"}, "auth": {"guest": True}, "resume": {"token": "t"}})


@check("a host who is cut off for a moment goes on in its epoch; nobody hears that")
def _():
    with Host(lead_ms=1000) as h:
        h.start()
        h.fill(60)
        h.client.probe()
        lose(h.client)
        equal(h.listener.event("host.changed", fits=lambda d: d["state"] == "away")["data"]["host"]["uid"],
              h.grant["user"]["uid"], "host")
        h.client = come_back(h.client, h.grant["access_token"])
        place = h.client.welcome["stay"]["host"]
        equal(place["epoch"], h.started["epoch"], "epoch")
        equal(place["sample_pos"], h.sample, "the first sample the server has not got")
        h.fill(40)
        h.heard()
        equal(h.listener.event("host.changed", fits=lambda d: d["state"] == "here")["data"]["host"]["uid"],
              h.grant["user"]["uid"], "host")
        h.client.data("host.stop")


@check("a host whose seat is taken while it is away hears so when it is back, and is no host any more")
def _():
    with Host() as h:
        h.start()
        h.fill(20)
        h.owner.data("room.join", {"room": h.room, "audio": False})
        lose(h.client)
        h.listener.event("host.changed", fits=lambda d: d["state"] == "away")
        other = account()
        with Client(other["access_token"]) as next_host:
            next_host.data("room.join", {"room": h.room})
            h.owner.data("host.offer", {"user": other["user"]["uid"]})
            next_host.data("host.start", {"stream": STREAM, "pacing": "server"})
        h.client = come_back(h.client, h.grant["access_token"], session_seq=0)
        equal(h.client.event("host.lost_seat")["data"], {"room": h.room, "reason": "handed_over"}, "host.lost_seat")
        true("host" not in h.client.welcome["stay"], "no host")


@check("a room that ended while the line was dead, and nobody had noticed, says so to who comes back; once")
def _():
    with Host() as h:
        a, seen = h.listener, room_events(h.listener)
        last = seen[-1]["seq"] if seen else h.snapshot["seq"]
        h.client.data("room.close", {"room": h.room})
        time.sleep(0.3)
        with come_back(a, room_seq=last) as back:
            equal(back.welcome["resumed"], True, "resumed")
            true("stay" not in back.welcome, "it is in no room")
            closed = [m for m in room_events(back) if m["type"] == "room.closed"]
            equal([m["room"] for m in closed], [h.room], "room.closed")
            with come_back(back, a.welcome["access_token"], room_seq=closed[0]["seq"]) as again:
                equal(room_events(again), [], "what the client has")
                again.data("room.join", {"room": "@demo", "audio": False})
                with come_back(again, a.welcome["access_token"]) as third:
                    true("stay" in third.welcome, "it is in another room")
                    true(all(m["room"] != h.room for m in room_events(third)), "the former room is forgotten")
