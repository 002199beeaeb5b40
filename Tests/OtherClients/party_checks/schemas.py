"""Protocol/schema/, and jsonschema to hold every message against it."""
import functools, json, sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from protocol_checks import helpers
from room_checks import party
from room_checks.schemas import FOLDER, exists, places


@functools.cache
def registry():
    found = [(path.as_uri(), Resource.from_contents(json.loads(path.read_text()), default_specification=DRAFT202012))
             for path in FOLDER.glob("*.json") if path.name != "frames.json"]
    return Registry().with_resources(found)


@functools.cache
def validator(name):
    path, definition = places()[name]
    return Draft202012Validator({"$ref": f"{path.as_uri()}#/$defs/{definition}"}, registry=registry())


@functools.lru_cache(20_000)
def _faults(name, text):
    return tuple(f"{name}{fault.json_path[1:]}: {fault.message[:160]}"
                 for fault in validator(name).iter_errors(json.loads(text)))


def faults(name, message):
    """What is wrong with a message, as sentences; `name` is one of `places()`, such as `events/queue.changed`."""
    return _faults(name, json.dumps(message))


def watched(rpc):
    """Looks at all that goes over HTTP: every answer, and the requests that were taken."""
    def asked(kind, data=None, *more, **named):
        status, body, headers = rpc(kind, data, *more, **named)
        if isinstance(body, dict) and body.get("type") in ("ok", "error"):
            schema = "replies/error" if body["type"] == "error" else f"replies/{kind}"
            party.expect(schema, body | {"id": 0}, f"the answer to {kind} over HTTP")
            if body["type"] == "ok":
                party.expect(f"requests/{kind}", {"type": kind, "id": 0, "data": data or {}}, "what is posted")
        return status, body, headers
    return asked


def watch_everything():
    party.schemas = sys.modules[__name__]
    helpers.rpc = watched(helpers.rpc)
