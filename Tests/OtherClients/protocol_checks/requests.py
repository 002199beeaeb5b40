"""connection.md: JSON and the envelope."""
import json

from protocol_checks.helpers import Client, check, equal, true


MALFORMED = {
    "not JSON": "hello", "empty text": "", "a bare number": "3", "an array": "[]", "two objects": "{}{}",
    "a byte order mark": '\ufeff{"type":"user.me","id":1}', "a trailing comma": '{"type":"user.me","id":1,}',
    "a comment": '{"type":"user.me","id":1}//', "single quotes": "{'type':'user.me','id':1}",
    "NaN": '{"type":"user.me","id":1,"x":NaN}', "a duplicate key": '{"type":"user.me","id":1,"id":1}',
    "a duplicate key, once escaped": '{"type":"user.me","id":1,"\\u0069d":1}',
    "a duplicate key deep inside": '{"type":"user.me","id":1,"x":[{"a":1,"b":2,"a":3}]}',
    "257 members": json.dumps({"type": "user.me", "id": 1} | {f"k{n}": n for n in range(255)}),
    "a lone surrogate": '{"type":"user.me","id":1,"x":"\\ud83c"}',
    "2^53": '{"type":"user.me","id":1,"x":9007199254740992}',
    "-2^53": '{"type":"user.me","id":1,"x":-9007199254740992}', "1e400": '{"type":"user.me","id":1,"x":1e400}',
    "2^53 as id": '{"type":"user.me","id":9007199254740992}',
    "no type": '{"id":1}', "no id": '{"type":"user.me"}', "id null": '{"type":"user.me","id":null}',
    "id -1": '{"type":"user.me","id":-1}', "id 1.0": '{"type":"user.me","id":1.0}',
    "id 1e3": '{"type":"user.me","id":1e3}',
    "id a string": '{"type":"user.me","id":"1"}', "type a number": '{"type":1,"id":1}',
    "an empty type": '{"type":"","id":1}',
    "a type of 65 bytes": '{"type":"%s","id":1}' % ("x" * 65), "data an array": '{"type":"user.me","id":1,"data":[]}',
    "data a string": '{"type":"user.me","id":1,"data":"x"}',
}


for name, text in MALFORMED.items():
    @check(f"{name}: request.malformed")
    def _(text=text):
        with Client() as c:
            c.text(text)
            found = c.next(lambda m: isinstance(m, dict) and m["type"] == "error", "error")
            equal(found["error"]["code"], "request.malformed", "code")
            true(found["id"] in (None, 1), "the id of the error")
            c.data("user.me")


GOOD = {
    "256 members": json.dumps({"type": "user.me", "id": 77} | {f"k{n}": n for n in range(254)}),
    "space around": ' \t\r\n{ "type" : "user.me" , "id" : 77 } ', "data null": '{"type":"user.me","id":77,"data":null}',
    "no data": '{"type":"user.me","id":77}',
    "unknown fields": '{"x":[1,{"y":2}],"type":"user.me","id":77,"data":{"z":"?"}}',
    "2^53 - 1": '{"type":"user.me","id":77,"x":[9007199254740991,-9007199254740991]}',
    "keys alike in all but case": '{"type":"user.me","id":77,"ID":1,"Type":"x"}',
    "nesting of 16": '{"type":"user.me","id":77,"x":%s}' % ("[" * 15 + "]" * 15),
    "nesting of 16 within data": '{"type":"user.me","id":77,"data":{"x":%s}}' % ('{"a":' * 13 + "{}" + "}" * 13),
}


for name, text in GOOD.items():
    @check(f"{name}: taken")
    def _(text=text):
        with Client() as c:
            c.text(text)
            equal(c.reply(77)["type"], "ok")


for name, text in {"arrays": '{"type":"user.me","id":77,"x":%s}' % ("[" * 16 + "]" * 16),
                   "objects": '{"type":"user.me","id":77,"data":{"x":%s}}' % ('{"a":' * 14 + "{}" + "}" * 14)}.items():
    @check(f"nesting of 17, {name}: request.too_deep")
    def _(text=text):
        with Client() as c:
            c.text(text)
            found = c.next(lambda m: isinstance(m, dict) and m["type"] == "error", "error")
            equal(found["error"]["code"], "request.too_deep", "code")
            c.data("user.me")


@check("the largest id comes back")
def _():
    with Client() as c:
        c.text('{"type":"user.me","id":9007199254740991}')
        equal(c.reply(9007199254740991)["type"], "ok")


@check("an unknown type: request.unknown, with its id")
def _():
    with Client() as c:
        c.refused("request.unknown", "room.explode", {})
        c.refused("request.unknown", "x" * 64)


for kind, data, field in (
        ("room.join", {}, "data.room"), ("room.join", {"room": None}, "data.room"),
        ("room.join", {"room": 5}, "data.room"),
        ("room.join", {"room": "short"}, "data.room"), ("room.join", {"room": "@"}, "data.room"),
        ("room.join", {"room": "@demo", "audio": "yes"}, "data.audio"),
        ("room.join", {"room": "@demo", "audio": 1}, "data.audio"),
        ("room.list", {"limit": 0}, "data.limit"), ("room.list", {"limit": 201}, "data.limit"),
        ("room.list", {"limit": 1.5}, "data.limit"), ("room.list", {"limit": 50.0}, "data.limit"),
        ("room.list", {"limit": "5"}, "data.limit"), ("room.list", {"cursor": ""}, "data.cursor"),
        ("room.list", {"cursor": "nonsense"}, "data.cursor"), ("room.list", {"cursor": "x" * 257}, "data.cursor"),
        ("room.get", {"room": "x" * 21}, "data.room"), ("room.get", {"room": ["@demo"]}, "data.room"),
        ("playback.get", {"room": True}, "data.room"), ("playback.seek", {"room": "@demo"}, "data.position_us"),
        ("playback.seek", {"room": "@demo", "position_us": -1}, "data.position_us"),
        ("auth.sign_in", {"email": "a@b"}, "data.password"), ("auth.refresh", {}, "data.refresh_token")):
    @check(f"{kind} {json.dumps(data)[:60]}: request.invalid at {field}")
    def _(kind=kind, data=data, field=field):
        with Client() as c:
            c.refused("request.invalid", kind, data, field)
