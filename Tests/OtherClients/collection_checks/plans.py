"""plans.md: what an account may take is decided where it takes it."""
import struct

from protocol_checks.helpers import Client, check, equal, true
from protocol_checks.host import STREAM

from collection_checks.sharing import sonactl
from collection_checks.stage import Person, noise


@check("a plan limits bytes, uploads of a day and rooms, holds at once, and ends with its removal")
def _():
    ada, bob, admin = Person(), Person(), Person("admin")
    equal(ada.data("plan.get")["plan"], None, "at first")
    sonactl(admin, "plans", "set", "small", "--storage-mib", "1", "--uploads-per-day", "2", "--rooms", "1")
    sonactl(admin, "plans", "give", "@" + ada.name, "small")
    equal(ada.data("plan.get"), {"plan": "small", "storage": {"used": 0, "max": 1 << 20}, "uploads": {"used": 0, "max": 2},
                                 "rooms": {"used": 0, "max": 1}, "bit_rate": None}, "the plan")
    equal(ada.data("storage.usage")["quota_bytes"], 1 << 20, "storage.usage")
    ada.data("room.create", title="One")
    ada.refused("room.limit_reached", "room.create", title="Two")
    status, error = ada.put("large", noise(70))
    equal((status, error["code"]), (413, "quota.exceeded"), "bytes")
    ada.upload("one")
    ada.upload("two")
    status, error = ada.put("three", noise())
    equal((status, error["code"]), (429, "quota.uploads"), "uploads of a day")
    true(error["retry_after_ms"] > 0, "no time to wait for")
    state = ada.data("plan.get")
    equal((state["uploads"], state["rooms"]["used"]), ({"used": 2, "max": 2}, 1), "what is taken")
    # Changed, it holds at once; another account never had it.
    admin.data("plans.set", name="small", uploads_per_day=3)
    ada.upload("three")
    ada.data("room.create", title="Two")
    equal(bob.data("plan.get")["plan"], None, "of another")
    equal([p["accounts"] for p in admin.data("plans.list")["plans"] if p["name"] == "small"], [1], "accounts")
    admin.data("plans.remove", name="small")
    equal(ada.data("plan.get")["plan"], None, "after the removal")
    admin.refused("plan.not_found", "users.set_plan", user=ada.uid, plan="small")
    admin.refused("plan.not_found", "plans.remove", name="small")
    ada.refused("auth.forbidden", "plans.list")
    ada.refused("auth.forbidden", "plans.set", name="mine", rooms=1000)
    true("that of everybody" in sonactl(ada, "plans", "show"), "sonactl plans show")


@check("a host who sends more than the plan's bit rate is told so, and those packets are not passed on")
def _():
    ada, admin = Person(), Person("admin")
    admin.data("plans.set", name="thin", bit_rate=6)
    admin.data("users.set_plan", user=ada.uid, plan="thin")
    room = ada.data("room.create", title="Thin", visibility="public")["room"]["id"]
    with Client(ada.token) as host, Client() as listener:
        host.data("room.join", {"room": room})
        epoch = host.data("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "Tune"}})["epoch"]
        listener.data("room.join", {"room": room})
        # 20 ms of 400 bytes are 160 kb/s; ten seconds' worth of 6 kb/s are 7500 bytes.
        for number in range(60):
            host.binary(struct.pack(">BBHIqI", 0x20, 0, epoch, number, number * 960, 960) + b"\xfc" + bytes(399))
        error = host.next(lambda m: isinstance(m, dict) and m["type"] == "error" and m["error"]["code"] == "quota.bit_rate",
                          "quota.bit_rate", 5)["error"]
        true(error["retry_after_ms"] > 0, "no time to wait for")
        passed = listener.packets(10, 5)
        true(all(packet.seq < 25 for packet in passed), f"packets beyond the limit: {passed[-1].seq}")
    admin.data("plans.remove", name="thin")
