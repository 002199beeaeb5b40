"""Hearing a room later than others do: packets that have gone by, and what one may not do meanwhile."""
import time

from protocol_checks.helpers import Client, check, equal, packets_of, true

from autoplay_checks.stage import Ear, Owner, until


#: Packets that were asked for.
SHIFTED = 32


def packets(client):
    """Those that have come, but for what only prepares a decoder."""
    frames = [message for message in client.inbox if isinstance(message, bytes)]
    client.inbox = [message for message in client.inbox if not isinstance(message, bytes)]
    return [packet for frame in frames for packet in packets_of(frame) if not packet.flags & 2]


def joined(client, room):
    return client.data("room.join", {"room": room})


@check("any place of what a room has played by itself is sent again: the same packets, over a seek and the next track")
def _():
    ada = Owner()
    ada.add("Low", "Long", "High")
    with Client() as guest, Client(ada.token) as owner:
        joined(guest, ada.room)
        joined(owner, ada.room)
        ada.autoplay()
        begun = guest.event("stream.started", 12)["data"]["stream"]
        until(lambda: ada.playing() == "Long", "the second track", 12)
        owner.data("playback.seek", {"position_us": 20_000_000})
        time.sleep(1.5)
        owner.data("queue.next", {"room": ada.room})
        until(lambda: ada.playing() == "High", "the third track", 12)
        # The ring of ten seconds and the lead has lost the beginning by then.
        time.sleep(max(0, 16 - (guest.data("playback.get", {})["server_us"] - begun["start_us"]) / 1e6))
        edge = guest.data("playback.get", {})["server_us"]
        live = {packet.seq: packet for packet in packets(guest)}
        again, streams, titles = {}, {}, []
        place = begun["start_us"] - 200_000
        while place < edge:
            answer = guest.data("room.shift", {"by_ms": 1000, "from_us": place, "to_us": min(place + 4_000_000, edge)})
            found = [packet for packet in packets(guest) if packet.flags & SHIFTED]
            time.sleep(0.4)
            equal(len(found), answer["packets"], "packets before the answer")
            for packet in found:
                again[packet.seq] = packet
            streams.update({stream["epoch"]: stream for stream in answer["streams"]})
            titles += [one["track"]["title"] for one in answer["tracks"] if one["track"]]
            place += 4_000_000
        true(answer["held_from_us"] <= begun["start_us"], f"held from {answer['held_from_us']}")
    equal(list(dict.fromkeys(titles)), ["Low", "Long", "High"], "titles")
    # All that sounded: what a seek or the next track has replaced is not sent.
    def heard(packets):
        starts = sorted(stream["start_us"] for stream in streams.values())
        ends = {stream["epoch"]: min([at for at in starts if at > stream["start_us"]] or [edge]) for stream in streams.values()}
        return {seq: packet for seq, packet in packets.items() if packet.play_at < min(ends.get(packet.epoch, 0), edge)}
    before, after = heard(live), heard(again)
    equal(sorted(before), sorted(after), f"{len(before)} and {len(after)} packets")
    true(all((one.play_at, one.epoch, one.samples, one.data) == (after[seq].play_at, after[seq].epoch, after[seq].samples, after[seq].data)
             for seq, one in before.items()), "they are the same")
    ada.autoplay(on=False)


@check("whoever hears the room later does not vote, and does again at the live place")
def _():
    ada = Owner()
    ada.add("Long", "High")
    ada.autoplay()
    until(lambda: ada.playing() == "Long", "it plays")
    ada.data("queue.set_rules", room=ada.room, rules={"dwell_s": 0, "grace_s": 0, "voters": "everybody"})
    waiting = ada.queue()["entries"][0]["id"]
    now = ada.queue()["now"]["entry"]["id"]
    with Client() as guest, Client() as other, Client() as third, Client() as fourth, Client() as fifth:
        for client in (guest, other, third, fourth, fifth):
            joined(client, ada.room)
        equal(other.data("queue.get", {})["skip_votes_needed"], 3, "votes of five that skip")
        guest.data("room.shift", {"by_ms": 5000})
        guest.refused("room.shifted", "queue.vote", {"id": waiting, "vote": "up"})
        guest.refused("room.shifted", "queue.vote_skip", {"id": now, "skip": True})
        equal(other.data("queue.get", {})["skip_votes_needed"], 2, "votes that skip of four at the live place")
        guest.data("room.shift", {"by_ms": 0})
        guest.data("queue.vote", {"id": waiting, "vote": "up"})
        guest.data("room.shift", {"by_ms": 5000})
        joined(guest, ada.room)
        guest.data("queue.vote", {"id": waiting})
        for wrong in ({"by_ms": -1}, {"by_ms": 86_400_001}, {"by_ms": 1, "from_us": 5}, {"by_ms": 1, "to_us": 5},
                      {"by_ms": 1, "from_us": 5, "to_us": 5}, {"by_ms": 1, "from_us": 0, "to_us": 10_000_001}):
            guest.refused("request.invalid", "room.shift", wrong)
        equal(guest.data("room.shift", {"by_ms": 1, "from_us": 1, "to_us": 2})["packets"], 0, "long ago")
        for _ in range(20):
            answer = guest.ask("room.shift", {"by_ms": 1, "from_us": 1, "to_us": 2})
            if answer["type"] == "error":
                equal(answer["error"]["code"], "request.rate_limited", "too much at once")
                break
        else:
            true(False, "as many spans as one likes")
    with Client() as nobody:
        nobody.refused("room.not_joined", "room.shift", {"by_ms": 1})
    ada.autoplay(on=False)


@check("a listener who hears the room later hears what had gone by when it came, and all after it without a gap")
def _():
    ada = Owner()
    ada.add("Low", "Middle", "High")
    with Client() as guest:
        # A room without listeners rests.
        joined(guest, ada.room)
        ada.autoplay()
        until(lambda: ada.playing() == "Middle", "the second track", 12)
        time.sleep(0.5)
        ear = Ear(ada.room, "--behind", "2.5")
        until(lambda: ada.playing() is None, "it stops", 12)
        time.sleep(4)
        heard, silence = ear.stop()
    # What lies between two pitches counts as a third where one gives way to the other.
    whole = [(pitch, seconds) for pitch, seconds in heard if pitch and seconds > 0.1]
    equal([pitch for pitch, _ in whole], [300, 500, 800], f"heard {heard}")
    true(whole[0][1] >= 1, f"of the first {heard}")
    true(all(2.8 <= seconds <= 3.05 for pitch, seconds in whole if pitch in (500, 800)), f"{heard}")
    true(silence < 8, f"{silence} ms of silence")
    ada.autoplay(on=False)
