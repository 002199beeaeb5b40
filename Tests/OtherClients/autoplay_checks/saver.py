"""The data saver: the same sound at a lower bit rate, at the same times."""
import time

from protocol_checks.helpers import Client, check, equal, rpc, true

from autoplay_checks import stage
from autoplay_checks.shifting import packets
from autoplay_checks.stage import Ear, Owner, until


def offering(*titles):
    ada = Owner()
    ada.add(*titles)
    equal(ada.data("room.update", room=ada.room, data_saver=True)["room"]["data_saver"], True, "the room offers it")
    return ada


def joined(client, room, **fields):
    return client.data("room.join", {"room": room} | fields)


def metric(name):
    return next(float(line.split()[1]) for line in stage.SERVER.metrics().splitlines() if line.startswith(f"{name} "))


@check("whoever saves data gets the same packets at a third of the bytes, with the same numbers and times")
def _():
    ada = offering("Long", "High")
    with Client() as whole, Client() as saver:
        equal(joined(whole, ada.room).get("data_saver"), None, "not asked for")
        equal(joined(saver, ada.room, data_saver=True)["data_saver"], True, "asked for")
        ada.autoplay()
        until(lambda: ada.playing() == "Long", "it plays")
        time.sleep(4)
        saver.ask("playback.get", {}), whole.ask("playback.get", {})
        many, few = ({packet.seq: packet for packet in packets(client)} for client in (whole, saver))
        both = sorted(set(many) & set(few))
        true(len(both) >= 200, f"{len(many)} and {len(few)} packets, {len(both)} of both")
        # Those that had gone by when it came are of one only, and the last ones are on their way.
        equal(both, list(range(both[0], both[-1] + 1)), "none is missing")
        for name in ("epoch", "play_at", "samples"):
            equal([getattr(few[seq], name) for seq in both], [getattr(many[seq], name) for seq in both], name)
        sizes = [sum(len(some[seq].data) for seq in both) for some in (many, few)]
        true(sizes[1] * 2.2 < sizes[0], f"{sizes} bytes")
        true(sizes[1] * 8 / (len(both) / 50) < 40_000, f"{sizes[1]} bytes in {len(both) / 50} s")
    ada.autoplay(on=False)


@check("a room that does not offer it, or has no place for it, sends the usual packets")
def _():
    ada = Owner()
    ada.add("Long")
    with Client() as guest:
        equal(joined(guest, ada.room, data_saver=True).get("data_saver"), None, "not offered")
    for wrong in (1, "low", []):
        status, body, _ = rpc("room.update", {"room": ada.room, "data_saver": wrong}, ada.token)
        equal((status, body["error"]["code"]), (400, "request.invalid"), f"{wrong}")
    stranger = Owner()
    stranger.refused("room.forbidden", "room.update", room=ada.room, data_saver=True)
    ada.data("room.update", room=ada.room, data_saver=True)
    with Client() as guest:
        equal(joined(guest, ada.room, data_saver=True, audio=False).get("data_saver"), None, "without sound")
        equal(joined(guest, ada.room, data_saver=True)["data_saver"], True, "offered")
        ada.data("room.update", room=ada.room, data_saver=False)
        with Client() as other:
            true("data_saver" not in joined(other, ada.room)["room"], "no longer offered")
    exported = ada.data("account.export")["export"]
    equal([room["offers_data_saver"] for room in exported["rooms"]], [False], "the export")


@check("one who comes while others save data gets what is on its way, and leaves and comes again")
def _():
    ada = offering("Long")
    with Client() as first:
        joined(first, ada.room, data_saver=True)
        ada.autoplay()
        until(lambda: ada.playing() == "Long", "it plays")
        time.sleep(2)
        with Client() as second:
            now = joined(second, ada.room, data_saver=True)
            equal(now["data_saver"], True, "the second")
            time.sleep(1)
            server = second.data("playback.get", {})["server_us"]
            got = packets(second)
            true(got and got[0].flags & 1 == 0 or got, "packets come")
            ahead = (got[-1].play_at - server) / 1e6
            true(0.2 < ahead < 4, f"{ahead} s ahead")
            true(all(one.seq + 1 == two.seq for one, two in zip(got, got[1:])), "none is missing")
            # Back to the usual ones and to the others again.
            equal(joined(second, ada.room).get("data_saver"), None, "the usual ones")
            time.sleep(0.5)
            second.data("playback.get", {})
            usual = sum(len(packet.data) for packet in packets(second)[-20:])
            equal(joined(second, ada.room, data_saver=True)["data_saver"], True, "again")
            time.sleep(0.5)
            second.data("playback.get", {})
            saved = sum(len(packet.data) for packet in packets(second)[-20:])
            true(saved * 2 < usual, f"{usual} and {saved} bytes")
        time.sleep(0.5)
    ada.autoplay(on=False)


@check("a listener who saves data hears three tracks without a gap, at the same moments as one who does not")
def _():
    ada = offering("Low", "Middle", "High")
    with Client() as guest:
        joined(guest, ada.room)
        ears = [Ear(ada.room, "--stats", *options) for options in ((), ("--data-saver",))]
        time.sleep(1)
        ada.autoplay()
        until(lambda: ada.playing() == "High", "the last one", 20)
        until(lambda: ada.playing() is None, "it stops", 12)
        time.sleep(1.5)
        heard = [ear.stop() for ear in ears]
    for sounds, silence in heard:
        whole = [(pitch, seconds) for pitch, seconds in sounds if pitch and seconds > 0.1]
        equal([pitch for pitch, _ in whole], [300, 500, 800], f"heard {sounds}")
        true(all(2.8 <= seconds <= 3.05 for _, seconds in whole), f"{sounds}")
        true(silence < 8, f"{silence} ms of silence")
    ada.autoplay(on=False)


@check("nobody takes it any more: the server stops making it")
def _():
    ada = offering("Long")
    with Client() as guest:
        joined(guest, ada.room, data_saver=True)
        equal(metric("sona_data_saver_listeners"), 1, "one listener")
        true(metric("sona_data_saver_rooms") >= 1, "one room")
    until(lambda: metric("sona_data_saver_rooms") == 0, "no room is left", 20)
