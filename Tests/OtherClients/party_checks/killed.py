"""A server that is killed in mid-party: what was there is there again, and everything that had its ok."""
import threading, time

from protocol_checks.helpers import check, equal, true
from protocol_checks.websocket import Closed

from room_checks import party
from room_checks.doors import invite, private
from room_checks.seat import standing

from party_checks import stage as settings
from party_checks.queues import OPEN_TO_ALL, Mirror, hall, pages, tune
from party_checks.stage import Stage, chance

KEPT = ("id", "title", "tags", "description", "visibility", "owner", "delivery", "lead_ms", "created_ms", "guests",
        "on_private", "waiting_room", "chat", "slow_mode_s")


def killed(stage):
    """Kills the server and starts it anew; everybody has another connection afterwards, and is in no room."""
    party.SERVER.kill()
    for member in stage.people.values():
        member.cut()
    party.SERVER.revive()
    party.EVENTS.clear()  # rooms count anew
    for name in stage.people:
        stage.back(name)


def everything(stage, room):
    """What the owner is told of the room, and what each is told of their own."""
    ada = stage.ada
    for who in stage.people.values():
        who.drain()
    found = {"room": {k: v for k, v in ada.data("room.get", {"room": room})["room"].items() if k in KEPT},
             "queue": {k: v for k, v in pages(ada, room).items() if k not in ("next_offset", "your_votes")},
             "chat": ada.data("chat.history", {"room": room, "limit": 100})["messages"],
             "bans": ada.data("room.bans", {"room": room, "limit": 100})["bans"],
             "invites": ada.data("invite.list", {"room": room})["invites"],
             "members": {m["user"]["user"]["uid"] if "user" in m["user"] else m["user"]["uid"]:
                         (m["standing"], m["muted_until_ms"])
                         for m in ada.data("room.members", {"room": room, "absent": True, "limit": 100})["members"]}}
    for name, who in stage.people.items():
        if who.room:
            found[f"{name}'s votes"] = who.data("queue.get", {})["your_votes"]
    return found


@check("SIGKILL in mid-party: room, standings, bans, mutes, invites, chat, queue are as before; the host goes on")
def _():
    with Stage("ada", "bea", "cal", "dan", "eva", "guest1", "guest2", "guest3", "guest4") as stage:
        ada, bea, cal, dan, eva = (stage.people[n] for n in ("ada", "bea", "cal", "dan", "eva"))
        room = private(ada, title="The party", tags=["a"], description="Two\nlines", delivery="interactive",
                       lead_ms=300)
        code, revoked, used = (invite(ada, room, **more) for more in ({"role": "vote", "uses": 50}, {}, {"uses": 2}))
        ada.data("room.update", {"room": room, "chat": "everyone", "guests": True})
        ada.join(room)
        for who in stage.people.values():
            if who is not ada:
                who.join(room, invite=(used if who in (cal, dan) else code)["code"])
        ada.data("invite.revoke", {"room": room, "invite": revoked["invite"]["id"]})
        standing(stage, ada, room, "moderator", bea), standing(stage, ada, room, "cohost", cal)
        ada.data("room.ban", {"room": room, "user": stage.guest3.uid, "seconds": 5000, "reason": "Loud."})
        bea.data("room.ban", {"room": room, "user": eva.uid})
        bea.data("room.mute", {"room": room, "user": dan.uid, "seconds": 5000})
        ada.data("room.mute", {"room": room, "user": stage.guest2.uid})
        said = [who.data("chat.send", {"text": f"from {who.name}"})["message"]["id"]
                for who in (ada, bea, cal, stage.guest1)]
        bea.data("chat.edit", {"id": said[1], "text": "edited"}), cal.data("chat.delete", {"id": said[2]})
        ada.data("queue.set_rules", {"rules": OPEN_TO_ALL | {
            "grace_s": 3600, "needs_approval": True, "ordering": "votes", "skip_percent": 90, "cooldown_s": 5000}})
        entries = [who.data("queue.suggest", tune())["entries"][0]["id"]
                   for who in (bea, dan, stage.guest1, stage.guest2) for _ in range(3)]
        for number in entries[::2]:
            ada.data("queue.approve", {"id": number})
        ada.start()
        ada.data("queue.next", {}), ada.data("queue.set_repeat", {"repeat": "all"})
        now = ada.data("queue.get", {})["now"]
        ada.data("queue.started", {"id": now["entry"]["id"]})
        waits = [e["id"] for e in pages(ada)["entries"] if e["approved"]]
        for k, who in enumerate((bea, dan, stage.guest1, stage.guest2)):
            who.data("queue.vote", {"id": waits[k % 2], "vote": "up"})
            who.data("queue.vote", {"id": waits[2], "vote": "down"})
        bea.data("queue.vote_skip", {"id": now["entry"]["id"]}), dan.data("queue.vote_skip", {"id": now["entry"]["id"]})
        names = ("ada", "bea", "cal", "dan", "guest1", "guest2", "guest4")
        for turn in range(4 if settings.SLOW else 2):
            yous = {name: stage.people[name].join(room)["you"] for name in names if name != "ada"}
            before = everything(stage, room)
            killed(stage)
            snapshot = stage.ada.join(room)
            equal(snapshot["chat"], before["chat"], "chat of the snapshot")
            for name in names[1:]:
                more = {"invite": code["code"]} if name.startswith("guest") else {}
                equal(stage.people[name].join(room, **more)["you"], yous[name], f"what {name} is")
            stage.mark()
            stage.ada.start()
            for name in names:
                stage.people[name].wait("host.changed", lambda d: d["state"] == "here")
            after = everything(stage, room)
            true(after["queue"].pop("revision") >= before["queue"].pop("revision"), "the revision falls")
            for part, there in before.items():
                if isinstance(there, dict):
                    for key, value in there.items():
                        equal(after[part].get(key), value, f"{part}, {key}, after {turn + 1} kills")
                equal(after[part], there, f"{part} after {turn + 1} kills")
            for name in ("eva", "guest3"):
                stage.people[name].may_not_join("room.banned", room, invite=code["code"])
            stage.come("guest5").may_not_join("room.banned", room, invite=code["code"])
            stage.guest5.may_not_join("invite.revoked", room, invite=revoked["code"])
            stage.guest5.may_not_join("invite.used_up", room, invite=used["code"])
            for who in (stage.dan, stage.guest2):
                who.refused("chat.muted", "chat.send", {"text": "x"})
            heard = stage.bea.sounds
            stage.ada.play(40)
            end = time.monotonic() + 3
            while stage.bea.sounds <= heard + 10 and time.monotonic() < end:
                stage.bea.drain()
                time.sleep(0.02)
            true(stage.bea.sounds > heard + 10, "nothing is heard")
        stage.ada.data("queue.finished", {"id": now["entry"]["id"]})
        again = stage.bea.refused("queue.duplicate", "queue.suggest", {k: now["entry"][k] for k in ("track", "source")})
        true(again, "it came again")
        new = stage.bea.data("queue.suggest", tune())["entries"][0]["id"]
        true(new > max(entries), f"id {new} after {max(entries)}")


@check("what was played is remembered through SIGKILL: cooldowns, shares, turns, what ended last; ids go on")
def _():
    stage, room = hall("ada", "bea", "cal", cooldown_s=1000, share_window=10, share_plays_max=3, ordering="votes",
                       grace_s=3600)
    with stage:
        tracks = [tune() for _ in range(4)]
        first, second = (who.data("queue.suggest", tracks[k])["entries"][0]["id"]
                         for k, who in enumerate((stage.bea, stage.cal)))
        stage.ada.data("queue.next", {})
        third, last = (stage.bea.data("queue.suggest", tracks[k])["entries"][0]["id"] for k in (2, 3))
        stage.cal.data("queue.vote", {"id": last, "vote": "up"})
        before = stage.ada.data("queue.get", {})
        equal((before["now"]["entry"]["id"], before["order"]), (first, [second, last, third]), "what plays, and will")
        killed(stage)
        for who in stage.people.values():
            who.join(room)
        after = stage.ada.data("queue.get", {})
        equal((after["now"], after["order"]), (before["now"], before["order"]), "what plays, and will")
        stage.bea.refused("queue.share", "queue.suggest", tune())
        stage.ada.data("queue.next", {})
        stage.ada.data("queue.next", {})
        killed(stage)
        for who in stage.people.values():
            who.join(room)
        error = stage.cal.refused("queue.cooldown", "queue.suggest", tracks[0])
        true(900_000 < error["retry_after_ms"] <= 1_000_000, f"{error}")
        for wanted in (second, first):
            stage.ada.data("queue.previous", {})
            equal(stage.ada.data("queue.get", {})["now"]["entry"]["id"], wanted, "what was gone back to")
        stage.ada.refused("queue.empty", "queue.previous", {})
        stage.ada.data("queue.clear", {})
        killed(stage)
        stage.cal.join(room)
        true(stage.cal.data("queue.suggest", tune())["entries"][0]["id"] > last, "an id is given twice")


class Storm(threading.Thread):
    """Somebody who asks for as much as they may without waiting, and notes every answer until the connection ends."""
    def __init__(self, who, requests):
        super().__init__()
        self.who, self.requests, self.asked, self.fault = who, requests, {}, None

    def run(self):
        who = self.who
        try:
            for kind, data in self.requests:
                self.asked[who.send(kind, data)] = (kind, data)
                end = time.monotonic() + 1 / 45
                while (left := end - time.monotonic()) > 0:
                    who.ws.receive(left)
            while True:
                who.ws.receive(1)
        except (Closed, OSError):
            pass
        except Exception as error:
            self.fault = error

    def answers(self):
        """[(kind, data, answer or None)], in the order they were asked."""
        replies = {m["id"]: m for m in self.who.log if m["type"] in ("ok", "error") and m["id"] in self.asked}
        return [(*asked, replies.get(number)) for number, asked in self.asked.items()]

    def told(self, kind):
        return [m["data"] for m in self.who.log if m["type"] == kind]


def requests_of(name, luck, there, room):
    """What somebody asks for in a storm."""
    said = 0
    for k in range(400):
        which = luck.random()
        if which < 0.4:
            yield "queue.suggest", tune()
        elif which < 0.9 or said == 5:
            yield "queue.vote", {"id": luck.choice(there)} | luck.choice(({}, {"vote": "up"}, {"vote": "down"}))
        else:
            said += 1
            yield "chat.send", {"text": f"{name} says {k}"}


def settings_of(stage, luck):
    """What an owner changes in a storm: (request, what it sets, to what)."""
    people = [stage.people[name] for name in ("bea", "cal", "dan")]
    for k in range(1, 400):
        who = luck.choice(people)
        word = luck.choice(("member", "moderator", "cohost", "listener"))
        yield luck.choice([
            (("queue.set_rules", {"rules": {"share_window": k % 100 + 1}}), "share_window", k % 100 + 1),
            (("room.update", {"title": f"Title {k}"}), "title", f"Title {k}"),
            (("room.set_standing", {"user": who.uid, "standing": word}), f"standing of {who.name}", word),
            (("room.mute", {"user": who.uid}), f"mute of {who.name}", True),
            (("room.unmute", {"user": who.uid}), f"mute of {who.name}", False),
            (("room.ban", {"user": stage.guest1.uid}), "ban", True),
            (("room.unban", {"user": stage.guest1.uid}), "ban", False),
            (("queue.set_repeat", {"repeat": (repeat := luck.choice(("off", "all", "one")))}), "repeat", repeat),
            (("queue.next", {}), None, None),
            (("invite.create", {"label": f"{k}", "expires_in_s": 60}), None, None)])


@check("rules, standings, mutes, bans, invites and what plays: what had its ok is there after SIGKILL, in mid-storm")
def _():
    luck = chance("settings")
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", share_window=50)
    with stage:
        lost, certain = [], 0
        for turn in range(10 if settings.SLOW else 3):
            for who in stage.people.values():
                who.drain()
                del who.log[:]
            stage.ada.data("room.unban", {"room": room, "user": stage.guest1.uid})
            for made in stage.ada.data("invite.list", {"room": room})["invites"]:
                stage.ada.data("invite.revoke", {"room": room, "invite": made["id"]})
            stage.ada.data("queue.add", {"tracks": [tune() for _ in range(20)]})
            before = found_settings(stage, room)
            asked = list(settings_of(stage, luck))
            storm = Storm(stage.ada, [(kind, data if kind.startswith("queue.") else data | {"room": room})
                                      for (kind, data), _, _ in asked])
            storm.start()
            time.sleep(luck.uniform(0.3, 1.5))
            party.SERVER.kill()
            storm.join(10)
            true(storm.fault is None, f"{storm.fault!r}")
            killed(stage)
            stage.ada.join(room)
            possible, invites, plays = {what: {value} for what, value in before.items()}, [], 0
            for (_, what, value), (kind, data, reply) in zip(asked, storm.answers()):
                certain += bool(reply)
                if what is None:
                    if reply and reply["type"] == "ok":
                        plays += kind == "queue.next"
                        invites += [reply["data"]["invite"]] if kind == "invite.create" else []
                elif reply and reply["type"] == "ok":
                    possible[what] = {value}
                elif reply is None:
                    possible[what].add(value)
            after = found_settings(stage, room)
            lost += [f"turn {turn}: {what} is {after[what]}, not {values}" for what, values in possible.items()
                     if what in after and after[what] not in values and what != "plays"]
            if after["plays"] < before["plays"] + min(plays, 1):
                lost.append(f"turn {turn}: play {after['plays']} after {before['plays']} and {plays} more")
            there = stage.ada.data("invite.list", {"room": room})["invites"]
            lost += [f"turn {turn}: invite {made['label']}" for made in invites if made not in there]
            for name in ("bea", "cal", "dan"):
                stage.people[name].join(room)
        true(not lost, f"{len(lost)} of {certain} with an ok: {'; '.join(lost[:5])}")
        true(certain > 30, f"only {certain} had an answer")


def found_settings(stage, room):
    got = stage.ada.data("queue.get", {"room": room})
    members = {m["user"]["user"]["uid"] if "user" in m["user"] else m["user"]["uid"]: m for m in
               stage.ada.data("room.members", {"room": room, "absent": True, "limit": 100})["members"]}
    found = {"share_window": got["rules"]["share_window"], "repeat": got["repeat"],
             "plays": got["now"]["play"] if got["now"] else 0,
             "title": stage.ada.data("room.get", {"room": room})["room"]["title"],
             "ban": any(b["user"]["uid"] == stage.guest1.uid
                        for b in stage.ada.data("room.bans", {"room": room})["bans"])}
    for name in ("bea", "cal", "dan"):
        member = members.get(stage.people[name].uid)
        if member:
            found[f"mute of {name}"] = member["muted_until_ms"] is not None
        found[f"standing of {name}"] = member["standing"] if member else "listener"
    return found


@check("what had its ok, or was told to anybody, is there after SIGKILL: storms of votes, suggestions and chat")
def _():
    luck = chance("storms")
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", "guest2", grace_s=3600)
    with stage:
        lost, certain = [], 0
        for turn in range(10 if settings.SLOW else 4):
            stage.ada.data("queue.clear", {})
            there = [e["id"] for e in stage.ada.data("queue.add", {"tracks": [tune() for _ in range(12)]})["entries"]]
            stage.mark()
            mirror = Mirror(pages(stage.ada))
            for who in stage.people.values():
                who.drain()
                del who.log[:]
            storms = [Storm(who, requests_of(name, luck, there, room)) for name, who in stage.people.items()]
            for storm in storms:
                storm.start()
            time.sleep(luck.uniform(0.3, 1.2))
            party.SERVER.kill()
            for storm in storms:
                storm.join(10)
                true(storm.fault is None and not storm.is_alive(), f"{storm.who.name}: {storm.fault!r}")
            killed(stage)
            for who in stage.people.values():
                who.join(room)
            got, chat = pages(stage.ada), stage.ada.data("chat.history", {"limit": 100})["messages"]
            entries, messages = {e["id"]: e for e in got["entries"]}, {m["id"]: m for m in chat}
            revisions, events = [0], {}
            for storm in storms:
                for kind, data, reply in storm.answers():
                    if not reply or reply["type"] == "error":
                        continue
                    certain += 1
                    revisions.append(reply["data"].get("revision", 0))
                    for entry in reply["data"].get("entries", ()):
                        same = entries.get(entry["id"], {})
                        if (same.get("track"), same.get("user")) != (entry["track"], entry["user"]):
                            lost.append(f"turn {turn}: {kind} {entry['id']} of {storm.who.name} had its ok")
                    message = reply["data"].get("message")
                    if message and messages.get(message["id"]) != message:
                        lost.append(f"turn {turn}: message {message['id']} of {storm.who.name} had its ok")
                for told in storm.told("chat.message"):
                    if messages.get(told["message"]["id"]) != told["message"]:
                        lost.append(f"turn {turn}: message {told['message']['id']} was told to {storm.who.name}")
                events |= {told["revision"]: told for told in storm.told("queue.changed")}
            # All that was told to anybody, in its order, is what the queue is at least.
            for revision in sorted(events):
                mirror.apply(events[revision])
            if got["revision"] < max(revisions + list(events)):
                lost.append(f"turn {turn}: revision {got['revision']}, though {max(revisions + list(events))} was told")
            lost += [f"turn {turn}: entry {e['id']} was told" for e in mirror.waiting if e["id"] not in entries]
            if got["revision"] == mirror.revision:
                mirror.same_as(got, f"after kill {turn + 1}")
            for storm in storms:
                lost += [f"turn {turn}: {storm.who.name} {fault}" for fault in votes_lost(storm, stage, there)]
            true(stage.ada.data("queue.add", {"tracks": [tune()]})["entries"][0]["id"]
                 > max([*entries, *(e["id"] for e in mirror.waiting)]), "an id is given twice")
        true(not lost, f"{len(lost)} of {certain} with an ok: {'; '.join(lost[:5])}")
        true(certain > 100, f"only {certain} had their ok")


def votes_lost(storm, stage, there):
    """Each vote is the last that had its ok, or one asked for after it."""
    mine = stage.people[storm.who.name].data("queue.get", {})["your_votes"]
    possible = {number: {None} for number in there}
    for kind, data, reply in storm.answers():
        if kind == "queue.vote":
            if reply and reply["type"] == "ok":
                possible[data["id"]] = {data.get("vote")}
            elif not reply:
                possible[data["id"]].add(data.get("vote"))
    for number in there:
        vote = "up" if number in mine["up"] else "down" if number in mine["down"] else None
        if vote not in possible[number]:
            yield f"has the vote {vote} for {number}, not {possible[number]}"
