"""chat.md: talking, its rules, and reactions."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.seat import open_room, standing

TEXTS = {"500 clusters": ("\u00e9" * 500, True), "501 clusters": ("x" * 501, False), "4000 bytes": ("👍🏽" * 500, True),
         "4001 bytes": ("👩‍👩‍👧‍👧" * 160 + "x", False), "10 line feeds": ("a" + "\n" * 10 + "b", True), "empty": ("", False),
         "11 line feeds": ("a" + "\n" * 11 + "b", False), "a tab": ("a\tb", False), "U+0000": ("a\0b", False),
         "U+0085": ("a\x85b", False), "U+2028": ("a\u2028b", False), "white space": (" \u00a0\u3000\n", False),
         "a carriage return": ("a\r\nb", False), "U+007F": ("\x7f", False), "markup": ("<b>@x</b> &amp;", True),
         "one cluster of 4001 bytes": ("e" + "\u0301" * 2000, False), "a family": ("👩‍👩‍👧‍👧", True)}


def say(who, text="hello", **more):
    return who.data("chat.send", {"text": text} | more)["message"]




@check("what is said is told to all inside, once, in order; replies and mentions; whoever joins finds it")
def _():
    p, room = open_room("dan", "fay", "gil", "guest1")
    with p:
        outside = p.come("hal")
        names = "@" + p.fay.user["username"], "@" + p.gil.user["username"].upper()
        first = say(p.fay, f"{names[1]} and {names[0]}, {names[0]} @nobody-at-all x{names[0]}")
        equal((first["mentions"], first["reply_to"], first["edited_ms"], first["deleted"], first["user"]["uid"]),
              ([p.gil.uid, p.fay.uid], None, None, False, p.fay.uid), "message")
        second = say(p.guest1, "🎵 as sent", reply_to=first["id"])
        equal((second["text"], second["reply_to"]), ("🎵 as sent", first["id"]), "reply")
        p.exactly("chat.message", p.inside(room), lambda d: d["message"] == first)
        p.exactly("chat.message", p.inside(room), lambda d: d["message"] == second)
        p.dan.refused("chat.not_found", "chat.send", {"text": "x", "reply_to": second["id"] + 1000})
        third = outside.rpc_data("chat.send", {"room": room, "text": "from outside"})["message"]
        p.exactly("chat.message", p.inside(room), lambda d: d["message"] == third)
        true(first["id"] < second["id"] < third["id"], "the order of identifiers")
        equal(outside.join(room)["chat"], [first, second, third], "chat of the snapshot")
        equal(p.fay.data("chat.history")["messages"], [first, second, third], "history")
        page = p.fay.rpc_data("chat.history", {"room": room, "limit": 1})
        equal((page["messages"], page["next_before"] is None), ([third], False), "a page of 1")
        page = p.fay.data("chat.history", {"limit": 2, "before": page["next_before"]})
        equal(page, {"messages": [first, second], "next_before": None}, "the page before")
        for kind, data in (("chat.history", {}), ("chat.send", {"text": "x"}), ("chat.edit", {"id": 1, "text": "x"}),
                           ("chat.delete", {"id": 1})):
            p.fay.rpc_refused("room.not_joined", kind, data)


@check("editing is the author's, deleting the author's and that of moderators above them; the text is gone")
def _():
    p, room = open_room("dan", "fay", "gil", "hal", "kim", "guest1")
    with p:
        standing(p, p.dan, room, "moderator", p.kim, p.hal)
        one, two, three, four, five = (say(who) for who in (p.fay, p.fay, p.dan, p.hal, p.kim))
        p.mark()
        new = p.fay.data("chat.edit", {"id": one["id"], "text": "better @" + p.gil.user["username"]})["message"]
        equal((new["text"][:6], new["mentions"], new["id"], new["at_ms"]),
              ("better", [p.gil.uid], one["id"], one["at_ms"]), "edited")
        true(new["edited_ms"] >= new["at_ms"], "edited_ms")
        p.exactly("chat.changed", p.people, lambda d: d["message"] == new)
        for who in (p.gil, p.dan, p.guest1):
            p.mark()
            who.forbidden(None, "chat.edit", {"id": one["id"], "text": "mine"})
        p.gil.refused("room.forbidden", "chat.delete", {"id": one["id"]})
        p.guest1.refused("room.forbidden", "chat.delete", {"id": one["id"]})
        for message in (three, four):
            p.kim.forbidden(None, "chat.delete", {"id": message["id"]})
        p.exactly("chat.changed", [])
        p.mark()
        equal(p.kim.data("chat.delete", {"id": one["id"]}), {}, "data")
        gone = lambda d: d["message"]["id"] == one["id"] and d["message"]["deleted"] and d["message"]["text"] == ""
        p.exactly("chat.changed", p.people, gone)
        p.exactly("room.moderated", ["dan", "kim", "hal"], lambda d: d["action"] == "delete"
                  and d["user"]["uid"] == p.fay.uid and d["by"]["uid"] == p.kim.uid)
        p.mark()
        p.fay.rpc_data("chat.delete", {"room": room, "id": two["id"]})
        p.exactly("room.moderated", [])
        for kind, more in (("chat.edit", {"text": "x"}), ("chat.delete", {})):
            p.fay.refused("chat.not_found", kind, {"id": two["id"]} | more)
            p.fay.refused("chat.not_found", kind, {"id": 10**9} | more)
        p.fay.refused("chat.not_found", "chat.edit", {"id": one["id"], "text": "x"})
        kept = p.dan.data("chat.history")["messages"]
        equal([(m["deleted"], m["text"], m["mentions"]) for m in kept[:2]], [(True, "", [])] * 2, "the deleted")
        equal(p.gil.join(room)["chat"], kept, "chat of the snapshot")


@check("what may be sent: clusters, bytes, line feeds, control characters; it is kept as it was sent")
def _():
    p, room = open_room("dan")
    wrong = []
    for k, (name, (text, fits)) in enumerate(TEXTS.items()):
        who = p.come(f"guest{k}")
        who.strict = fits
        body = who.rpc("chat.send", {"room": room, "text": text})
        error = body.get("error", {})
        if fits and body["type"] != "ok" or not fits and (error.get("code"), error.get("field")) != (
                "chat.text_invalid", "data.text"):
            wrong.append(f"{name}: {error or 'ok'}")
        elif fits and body["data"]["message"]["text"] != text:
            wrong.append(f"{name}: changed")
    who = p.come("guest")
    who.strict = False
    who.join(room)
    mine = say(who)["id"]
    for name, (text, fits) in TEXTS.items():
        if not fits:
            error = who.ask("chat.edit", {"id": mine, "text": text}).get("error", {})
            if error.get("code") != "chat.text_invalid":
                wrong.append(f"{name} in an edit: {error or 'ok'}")
    with p:
        true(not wrong, "; ".join(wrong))


@check("five messages and edits in 10 s of one person in a room, from all connections; then chat.rate_limited")
def _():
    p, room = open_room("dan", "fay", "gil")
    with p:
        more = p.people["more"] = p.fay.again()
        more.join(room)
        first = say(p.fay)
        say(more), say(p.fay)
        p.fay.rpc_data("chat.edit", {"room": room, "id": first["id"], "text": "better"})
        p.fay.data("chat.edit", {"id": first["id"], "text": "better still"})
        for kind, data in (("chat.send", {"text": "x"}), ("chat.edit", {"id": first["id"], "text": "x"})):
            for error in (more.refused("chat.rate_limited", kind, data),
                          p.fay.rpc_refused("chat.rate_limited", kind, {"room": room} | data)):
                true(0 < error["retry_after_ms"] <= 10_000, f"{error}")
        say(p.gil)
        p.fay.data("chat.delete", {"id": first["id"]})
        other = p.dan.data("room.create")["room"]["id"]
        p.fay.rpc_data("chat.send", {"room": other, "text": "elsewhere"})


@check("slow mode: one message in so many seconds, for those below moderators")
def _():
    p, room = open_room("dan", "fay", "kim")
    with p:
        standing(p, p.dan, room, "moderator", p.kim)
        p.dan.data("room.update", {"room": room, "slow_mode_s": 2})
        p.exactly("room.updated", p.people, lambda d: d["room"]["slow_mode_s"] == 2)
        first = say(p.fay)
        error = p.fay.refused("chat.slow_mode", "chat.send", {"text": "x"})
        true(0 < error["retry_after_ms"] <= 2000, f"{error}")
        p.fay.refused("chat.slow_mode", "chat.edit", {"id": first["id"], "text": "x"})
        say(p.kim), say(p.kim), say(p.dan), say(p.dan)
        time.sleep(error["retry_after_ms"] / 1000 + 0.01)
        say(p.fay)


@check("who may write: everyone, members, moderators, nobody; deleting one's own always")
def _():
    p, room = open_room("dan", "fay", "gil", "kim", "guest1")
    with p:
        standing(p, p.dan, room, "moderator", p.kim)
        standing(p, p.dan, room, "member", p.gil)
        mine = {who: say(who) for who in (p.fay, p.gil, p.kim, p.guest1)}
        rules = {"members": (p.fay, p.guest1), "moderators": (p.fay, p.guest1, p.gil)}
        for rule, refused in rules.items():
            p.dan.data("room.update", {"room": room, "chat": rule})
            for who in mine:
                if who in refused:
                    who.forbidden("chat", "chat.send", {"text": "x"})
                    who.forbidden("chat", "chat.edit", {"id": mine[who]["id"], "text": "x"})
                else:
                    say(who)
        p.dan.data("room.update", {"room": room, "chat": "off"})
        for who in (p.dan, *mine):
            who.refused("chat.off", "chat.send", {"text": "x"})
            who.data("reaction.send", {"emoji": "👍"})
        p.fay.refused("chat.off", "chat.edit", {"id": mine[p.fay]["id"], "text": "x"})
        for who in (p.fay, p.guest1):
            who.data("chat.delete", {"id": mine[who]["id"]})
        p.dan.data("room.update", {"room": room, "chat": "everyone"})
        say(p.fay)


@check("a mute: no messages, edits, reactions, wherever one comes in from; told to moderators and the person")
def _():
    p, room = open_room("dan", "fay", "kim", "guest1", "guest2")
    with p:
        standing(p, p.dan, room, "moderator", p.kim)
        mine = say(p.fay)
        p.mark()
        p.kim.data("room.mute", {"room": room, "user": p.fay.uid, "seconds": 100})
        about = lambda action, by: lambda d: (d["action"], d["user"]["uid"], d["by"] and d["by"]["uid"]) == (
            action, p.fay.uid, by)
        p.exactly("room.moderated", ["dan", "kim"], about("mute", p.kim.uid))
        p.exactly("room.moderated", ["fay"], about("mute", None))
        for kind, data in (("chat.send", {"text": "x"}), ("chat.edit", {"id": mine["id"], "text": "x"}),
                           ("reaction.send", {"emoji": "👍"})):
            error = p.fay.refused("chat.muted", kind, data)
            true(90_000 < error["retry_after_ms"] <= 100_000, f"{error}")
        p.fay.rpc_refused("chat.muted", "chat.send", {"room": room, "text": "x"})
        again = p.people["again"] = p.fay.again()
        until = again.join(room)["you"]["muted_until_ms"]
        true(abs(until / 1000 - time.time() - 100) < 5, f"muted_until_ms {until}")
        again.refused("chat.muted", "chat.send", {"text": "x"})
        p.fay.data("chat.delete", {"id": mine["id"]})
        p.mark()
        p.dan.data("room.mute", {"room": room, "user": p.fay.uid})
        true("retry_after_ms" not in p.fay.refused("chat.muted", "chat.send", {"text": "x"}), "it does not end")
        equal(again.join(room)["you"]["muted_until_ms"], 2**53 - 1, "muted_until_ms")
        p.mark()
        p.kim.data("room.unmute", {"room": room, "user": p.fay.uid})
        p.exactly("room.moderated", ["dan", "kim"], about("unmute", p.kim.uid))
        p.exactly("room.moderated", ["fay", "again"], about("unmute", None))
        p.mark()
        p.kim.data("room.unmute", {"room": room, "user": p.fay.uid})
        p.exactly("room.moderated", [])
        say(p.fay)
        p.kim.data("room.mute", {"room": room, "user": p.guest1.uid, "seconds": 1})
        p.guest1.refused("chat.muted", "chat.send", {"text": "x"})
        time.sleep(1.05)
        say(p.guest1)
        p.kim.forbidden(None, "room.mute", {"room": room, "user": p.dan.uid})
        p.fay.forbidden("moderate", "room.mute", {"room": room, "user": p.guest1.uid})


@check("reactions: told to all, at most four times a second, the most frequent first, ten of a connection")
def _():
    p, room = open_room("dan", "fay", "guest1")
    with p:
        p.mark()
        for emoji in ("a", "👍", "👍", "👩‍👩‍👧‍👧", "👍", "👩‍👩‍👧‍👧"):
            equal(p.fay.data("reaction.send", {"emoji": emoji}), {}, "data")
        for _ in range(10):
            p.guest1.data("reaction.send", {"emoji": "🔥"})
        for who in p.people.values():
            told, end = {}, time.monotonic() + 2
            while sum(told.values()) < 16 and time.monotonic() < end:
                who.drain()
                told = {}
                for event in who.got("reactions"):
                    counts = [c["count"] for c in event["counts"]]
                    equal(counts, sorted(counts, reverse=True), "the order of counts")
                    for c in event["counts"]:
                        told[c["emoji"]] = told.get(c["emoji"], 0) + c["count"]
            equal(told, {"a": 1, "👍": 3, "👩‍👩‍👧‍👧": 2, "🔥": 10}, "reactions")
        p.mark()
        for _ in range(30):
            p.guest1.data("reaction.send", {"emoji": "🔥"})
        time.sleep(0.6)
        p.dan.drain()
        told = p.dan.got("reactions")
        true(len(told) <= 4, f"{len(told)} events")
        true(sum(c["count"] for e in told for c in e["counts"]) <= 20, f"counted {told}")
        p.fay.strict = False
        for emoji in ("", "ab", " ", "\n", "👍👍", "x" * 33):
            p.fay.refused("request.invalid", "reaction.send", {"emoji": emoji}, "data.emoji")
        p.fay.leave()
        p.fay.refused("room.not_joined", "reaction.send", {"emoji": "👍"})


@check("a snapshot has the newest 50; a page takes at most 65 536 bytes and goes on where it stopped")
def _():
    p, room = open_room("dan", *(f"guest{k}" for k in range(20)))
    with p:
        sent = []
        for turn in range(5):
            for k in range(20):
                text = ("👩‍👩‍👧‍👧" * 150 if turn > 2 else "x") + f" {turn} {k}"
                sent.append(say(p.people[f"guest{k}"], text))
        p.exactly("chat.message", p.people, count=100)
        chat = p.come("late").join(room)["chat"]
        true(0 < len(chat) <= 50 and sum(len(str(m["text"]).encode()) for m in chat) <= 65536, f"{len(chat)} messages")
        equal(chat, sent[-len(chat):], "chat of the snapshot")
        found, before = [], None
        while True:
            page = p.dan.data("chat.history", {"limit": 100} | ({"before": before} if before else {}))
            true(page["messages"], "an empty page")
            found, before = page["messages"] + found, page["next_before"]
            if before is None:
                break
        equal([m["id"] for m in found], [m["id"] for m in sent], "all pages")


@check("whoever was banned, or left a private room, reads and writes nothing there, over either way")
def _():
    p, room = open_room("dan", "fay", "guest1")
    with p:
        hers = say(p.fay)
        for who in (p.fay, p.guest1):
            p.dan.data("room.ban", {"room": room, "user": who.uid})
            for kind, more in (("chat.history", {}), ("chat.send", {"text": "x"}), ("room.members", {}),
                               ("chat.edit", {"id": hers["id"], "text": "x"}), ("chat.delete", {"id": hers["id"]}),
                               ("room.get", {}), ("playback.get", {})):
                who.refused("room.banned", kind, {"room": room} | more)
                who.rpc_refused("room.banned", kind, {"room": room} | more)
        hidden = p.dan.data("room.create", {"visibility": "private"})["room"]["id"]
        p.fay.refused("room.not_found", "room.get", {"room": hidden})
        p.dan.data("room.ban", {"room": hidden, "user": p.fay.uid})
        for kind in ("room.join", "room.get", "playback.get", "playback.pause", "chat.history"):
            p.fay.refused("room.banned", kind, {"room": hidden})
