"""XML, JSON and JSONP: one tree, and that of the specification."""
import json, pathlib

from protocol_checks.helpers import check, equal, true
from subsonic_checks import stage

BUNDLE = json.loads((pathlib.Path(__file__).parent / "openapi.json").read_text())["files"]
PREFIX = "urn:opensubsonic:"
# The schema wants `volume`, the page and the clients of it `gain`: both are sent.
_validators = {}


def validator(name):
    """Of the answers of an endpoint."""
    if name not in _validators:
        import jsonschema
        from referencing import Registry, Resource
        from referencing.jsonschema import DRAFT202012
        registry = Registry().with_resources(
            (PREFIX + path, Resource.from_contents(schema, default_specification=DRAFT202012))
            for path, schema in BUNDLE.items())
        response = {"getAlbumInfo2": "getAlbumInfo", "tokenInfo": "getTokenInfo"}.get(name, name)
        response = response[0].upper() + response[1:] + "Response.json"
        folder = {"getAlbumInfo2": "getAlbumInfo"}.get(name, name)
        path = f"openapi/endpoints/{folder}/{response}"
        if path not in BUNDLE:
            path = "openapi/schemas/SubsonicResponse.json"
        _validators[name] = jsonschema.Draft202012Validator(
            {"$ref": PREFIX + path}, registry=registry, format_checker=jsonschema.FormatChecker())
    return _validators[name]


def once(app, name, fields):
    """Asks for JSON; the members of the answer."""
    status, body, headers = app.raw(name, f="json", **fields)
    equal((status, headers["content-type"]), (200, "application/json"), name)
    whole = json.loads(body)
    answer = whole["subsonic-response"]
    true(answer["status"] == "ok", f"{name} {fields}: {answer}")
    faults = sorted(validator(name).iter_errors(whole), key=lambda fault: len(fault.absolute_path))
    true(not faults, f"{name}: {[deepest(fault) for fault in faults[:2]]}")
    return answer


def both(app, name, fields):
    """Asks in both forms; the members of the answer."""
    answer = once(app, name, fields)
    status, body, headers = app.raw(name, **fields)
    equal((status, headers["content-type"]), (200, "application/xml; charset=utf-8"), name)
    root = stage.parsed(body)
    equal(root.tag, stage.NAMESPACE + "subsonic-response", name)
    if name not in ("getRandomSongs", "getSimilarSongs", "getSimilarSongs2", "getArtistInfo", "getArtistInfo2") \
            and fields.get("type") != "random":
        equal(stage.as_json(root, answer), stage.texts(answer), f"{name} in XML and in JSON")
    return answer


def deepest(fault):
    """The part of a fault that says most."""
    while fault.context:
        fault = max(fault.context, key=lambda one: len(one.absolute_path))
    return f"/{'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}"


@check("each answer says who gives it")
def _():
    answer = stage.app().ok("ping")
    equal((answer["status"], answer["version"], answer["type"], answer["openSubsonic"]), ("ok", "1.16.1", "sona", True))
    true(answer["serverVersion"].count(".") == 2, answer["serverVersion"])


@check("JSONP calls the function that is named, and no program")
def _():
    app = stage.app()
    status, body, headers = app.raw("ping", f="jsonp", callback="jQuery_1.done")
    true(body.startswith(b"jQuery_1.done({") and body.endswith(b"});"), body[:60])
    true(headers["content-type"].startswith("application/javascript"), headers["content-type"])
    for bad in ("alert(1);x", "a b", "<script>", "1x", "é"):
        true(app.raw("ping", f="jsonp", callback=bad)[1].startswith(b"callback("), bad)


@check("names with and without .view, by GET and by POST, are one endpoint")
def _():
    app = stage.app()
    for method in ("GET", "POST"):
        for view in (True, False):
            status, body, _ = stage.ask("ping", {**app.sign(), "v": "1.16.1", "c": "x", "f": "json"}, method, view=view)
            equal(json.loads(body)["subsonic-response"]["status"], "ok", f"{method} {view}")
    equal(stage.ask("ping", app.sign(), "PUT")[0], 405, "PUT")
    status, _, headers = stage.ask("ping", {}, "OPTIONS", {"Origin": "https://app.example"})
    equal((status, headers["access-control-allow-origin"]), (204, "*"), "OPTIONS")


@check("pages of all origins may ask, since they show a password")
def _():
    app = stage.app()
    for method in ("GET", "POST"):
        status, body, headers = app.raw("ping", method=method, headers={"Origin": "https://app.example"}, f="json")
        equal((status, headers.get("access-control-allow-origin")), (200, "*"), method)


@check("extensions are told without signing in")
def _():
    status, body, _ = stage.ask("getOpenSubsonicExtensions", {"f": "json"})
    answer = json.loads(body)
    faults = list(validator("getOpenSubsonicExtensions").iter_errors(answer))
    true(not faults, str(faults[:1]))
    names = {one["name"]: one["versions"] for one in answer["subsonic-response"]["openSubsonicExtensions"]}
    for name in ("apiKeyAuthentication", "formPost", "songLyrics", "indexBasedQueue", "transcodeOffset"):
        equal(names.get(name), [1], name)


@check("what is wrong has a number, and the status 200")
def _():
    app = stage.app()
    app.fails(70, "noSuchEndpoint")
    app.fails(10, "getAlbum")
    app.fails(70, "getAlbum", id="x")
    app.fails(70, "getAlbum", id="01JDQ6Z3M8R5V2K7X4N9T1B0CF")
    app.fails(0, "getAlbumList2", type="upside down")
    app.fails(10, "getAlbumList2", type="byYear", fromYear=2000)
    for number in ("many", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "1.5"):
        app.fails(0, "getAlbumList2", type="newest", size=number)
    app.fails(50, "getUser", username="somebody-else")
    app.fails(50, "startScan")
    app.fails(20, "ping", v="0.9.0")
    app.fails(30, "ping", v="2.0.0")
    status, body, _ = app.raw("getAlbum", id="x")
    root = stage.parsed(body)
    equal((root.attrib["status"], root[0].attrib["code"]), ("failed", "70"), "an error in XML")
