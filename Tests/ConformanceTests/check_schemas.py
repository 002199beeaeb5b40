#!/usr/bin/env python3
"""Holds Protocol/ against itself: prose tables, schemas, vectors and asyncapi.yaml.

The Swift tests beside this file run the same vectors through SonaWire; this program shares no code with it, so that
an error would have to be made twice to pass both.

    python3 -m venv .venv && .venv/bin/pip install jsonschema pyyaml asyncapi3
    .venv/bin/python Tests/ConformanceTests/check_schemas.py

Prints each contradiction on standard error and exits with 1 if there is any.
"""

import json
import re
import struct
import sys
import warnings
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

PROTOCOL = Path(__file__).resolve().parents[2] / "Protocol"
INTEGER_MAX = 2**53 - 1
# Flags of invalid tests that a schema cannot refuse.
UNSEEN_BY_SCHEMA = {"not_json", "beyond_schema"}

failures = []
counts = {"schemas": 0, "texts": 0, "frames": 0, "rows and examples": 0}


def fail(where, what):
    failures.append(f"{where}: {what}")


def strict_json(text):
    """Parses as the protocol demands, or raises ValueError."""

    def no_duplicates(pairs):
        if len({key for key, _ in pairs}) != len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    def integer(digits):
        value = int(digits) if len(digits) < 20 else INTEGER_MAX + 1
        if abs(value) > INTEGER_MAX:
            raise ValueError("integer out of range")
        return value

    def refuse(word):
        raise ValueError(word)

    value = json.loads(text, object_pairs_hook=no_duplicates, parse_int=integer, parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # Lone surrogates fail here.
    return value


KINDS = {"request": "requests", "reply": "replies", "event": "events"}


def load_schemas():
    """Every file of schema/ by its name, every message in them as `requests/room.join`, and a registry that resolves
    their references."""
    schemas, resources = {}, []
    for path in sorted((PROTOCOL / "schema").glob("*.json")):
        if path.stem == "frames":
            continue
        schema = json.loads(path.read_text(encoding="utf-8"))
        try:
            Draft202012Validator.check_schema(schema)
        except Exception as error:
            fail(path.stem, f"is no schema: {error}")
        schemas[path.stem] = {"$ref": path.as_uri()}
        for name in () if path.stem in ("objects", "vectors") else schema["$defs"]:
            message, kind = name.rsplit(".", 1)
            schemas[f"{KINDS[kind]}/{message}"] = {"$ref": f"{path.as_uri()}#/$defs/{name}"}
            counts["schemas"] += 1
        resources.append((path.as_uri(), Resource.from_contents(schema, default_specification=DRAFT202012)))
    registry = Registry().with_resources(resources)
    return {name: Draft202012Validator(ref, registry=registry) for name, ref in schemas.items()}


def load_vectors(validators):
    families = {}
    for path in sorted((PROTOCOL / "vectors").glob("*.json")):
        family = json.loads(path.read_text(encoding="utf-8"))
        for error in validators["vectors"].iter_errors(family):
            fail(path.name, f"{error.json_path}: {error.message}")
        if family["family"] != path.stem:
            fail(path.name, "the family is not named for the file")
        tests = family["tests"]
        if [test["id"] for test in tests] != list(range(1, len(tests) + 1)):
            fail(path.name, "ids do not count from 1")
        used = {flag for test in tests for flag in test["flags"]}
        if used != set(family["notes"]):
            fail(path.name, f"flags and notes differ: {sorted(used ^ set(family['notes']))}")
        families[path.stem] = tests
    return families


def check_texts(validators, families):
    """Valid texts and their values fit their schemas; invalid ones do not, where a schema can see it."""
    results = {}
    for family, tests in families.items():
        for test in tests:
            message = test["message"]
            if "text" not in test or "/" not in message:
                continue
            where = f"{family} {test['id']} ({test['comment']})"
            counts["texts"] += 1
            results.setdefault(message, set()).add(test["result"])
            validator = validators.get(message)
            if validator is None:
                fail(where, f"there is no schema {message}")
                continue
            try:
                instance = strict_json(test["text"])
            except ValueError as error:
                if "not_json" not in test["flags"]:
                    fail(where, f"cannot be parsed: {error}")
                continue
            if "not_json" in test["flags"]:
                fail(where, "can be parsed after all")
            first = next(validator.iter_errors(instance), None)
            if test["result"] == "valid":
                if first:
                    fail(where, f"{first.json_path}: {first.message}")
                value = {k: v for k, v in test["value"].items() if k not in ("http_status", "retry")}
                second = next(validator.iter_errors(value), None)
                if second:
                    fail(where, f"the value does not fit: {second.json_path}: {second.message}")
            elif test["result"] == "invalid":
                seen = not UNSEEN_BY_SCHEMA & set(test["flags"])
                if seen and not first:
                    fail(where, "the schema finds nothing wrong")
                if not seen and first:
                    fail(where, "the schema does see it: the flag is wrong")
    for name in validators:
        if "/" not in name:
            continue
        if "valid" not in results.get(name, ()):
            fail(name, "has no valid vector")


def check_identifiers(validators, families):
    """The shared definition of each kind of identifier takes and refuses what its vectors say."""
    base = (PROTOCOL / "schema" / "objects.json").as_uri()
    for test in families["identifiers"]:
        name = {"user_id": "uid"}.get(test["message"], test["message"])
        validator = validators["objects"].evolve(schema={"$ref": f"{base}#/$defs/{name}"})
        counts["rows and examples"] += 1
        if validator.is_valid(test["text"]) != (test["result"] == "valid"):
            fail(f"identifiers {test['id']} ({test['comment']})", f"objects.json, {name}, says otherwise")


SIZES = {"u8": (1, ">B"), "u16": (2, ">H"), "u32": (4, ">I"), "i32": (4, ">i"), "i64": (8, ">q")}


def decode_fields(fields, data, start):
    """Reads fields by the table; raises ValueError naming what is wrong."""
    values = {}
    for field in fields:
        offset = start + field["offset"]
        if field["type"] == "bytes":
            size = values[field["length_from"]]
        else:
            size = SIZES[field["type"]][0]
        if offset + size > len(data):
            raise ValueError("length")
        if field["type"] == "bytes":
            values[field["name"]] = data[offset : offset + size].hex()
            continue
        (value,) = struct.unpack_from(SIZES[field["type"]][1], data, offset)
        if "range" in field and not field["range"][0] <= value <= field["range"][1]:
            raise ValueError(field["name"])
        values[field["name"]] = value
    return values


def decode_frame(frame, data):
    values = decode_fields(frame["fields"], data, 0)
    end = frame["header_bytes"]
    if "payload" in frame:
        size = len(data) - end
        if not frame["payload"]["range"][0] <= size <= frame["payload"]["range"][1]:
            raise ValueError("length")
        values["packet"] = data[end:].hex()
        end = len(data)
    if "repeated" in frame:
        entries = []
        for _ in range(values[frame["repeated"]["times_from"]]):
            entry = decode_fields(frame["repeated"]["fields"], data, end)
            end += 6 + entry["length"]
            entries.append(entry)
        values["packets"] = entries
    if end != len(data):
        raise ValueError("length")
    return values


def check_frames(families):
    """The layout table is sound, and decodes every frame vector to its value."""
    table = json.loads((PROTOCOL / "schema" / "frames.json").read_text(encoding="utf-8"))
    by_type = {}
    for frame in table["frames"]:
        for fields, size in [(frame["fields"], frame["header_bytes"])] + (
            [(frame["repeated"]["fields"], 6)] if "repeated" in frame else []
        ):
            offset = 0
            for field in fields:
                if field["offset"] != offset:
                    fail(frame["name"], f"{field['name']} is at {field['offset']}, not {offset}")
                if field["type"] != "bytes":
                    if field["size"] != SIZES[field["type"]][0]:
                        fail(frame["name"], f"{field['name']} has the wrong size")
                    offset += field["size"]
            if offset != size:
                fail(frame["name"], "the fields do not fill the header")
        by_type[frame["type"]] = frame
    ways = {"client_frame": ("client-to-server", "both"), "server_frame": ("server-to-client", "both")}
    for family, tests in families.items():
        for test in tests:
            if test["message"] not in ways:
                continue
            where = f"{family} {test['id']} ({test['comment']})"
            counts["frames"] += 1
            data = bytes.fromhex(test["bytes"])
            try:
                if not data:
                    raise ValueError("empty")
                frame = by_type.get(data[0])
                if frame is None or frame["direction"] not in ways[test["message"]]:
                    if data[0] < table["ignorable_bit"]:
                        raise LookupError
                    values = {"frame": "ignorable", "type": data[0]}
                else:
                    values = {"frame": frame["name"], **decode_frame(frame, data)}
            except LookupError:
                if test.get("code") != "frame.unknown":
                    fail(where, "the table does not know this type")
                continue
            except ValueError as error:
                expected = "audio.malformed" if str(error) == "samples" else "frame.malformed"
                if test.get("code") != expected:
                    fail(where, f"the table refuses it: {error}")
                continue
            if test["result"] != "valid":
                fail(where, "the table accepts it")
                continue
            for name, value in test["value"].items():
                if name in ("t4", "offset_us", "round_trip_us"):
                    continue
                got = values.get(name)
                if name == "packets":
                    got = [(entry["samples"], entry["packet"]) for entry in got]
                    value = [(entry["samples"], entry["packet"]) for entry in value]
                if got != value and str(got) != value:
                    fail(where, f"{name} is {got} by the table, {value} in the value")


def table_rows(page, columns):
    """Rows of the page's tables that begin with something in code font."""
    for line in (PROTOCOL / "spec" / page).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == columns:
            yield cells


def check_tables(families):
    """errors.md lists the codes of the vectors with their status and advice, and no others."""
    prose = {}
    for code, status, retry, *_ in table_rows("errors.md", 4):
        prose[code.strip("`")] = (status, retry)
        counts["rows and examples"] += 1
    words = {"never": "no", "with_backoff": "with backoff", "after_sign_in": "after signing in"}
    vectors = {}
    for test in families["errors"]:
        if test["result"] == "valid" and test["comment"] == test["value"]["error"]["code"]:
            vectors[test["comment"]] = (str(test["value"]["http_status"]), "yes" if test["value"]["retry"] else "no")
    closes = {}
    for test in families["close_codes"]:
        if test["result"] == "valid":
            closes[str(test["value"]["code"])] = words[test["value"]["come_back"]]
    prose_closes = {code.strip("`"): back for code, back, _ in table_rows("errors.md", 3)}
    for name, left, right in (("codes", prose, vectors), ("close codes", prose_closes, closes)):
        for key in sorted(left.keys() | right.keys()):
            if left.get(key) != right.get(key):
                fail(f"errors.md, {name}", f"{key}: {left.get(key)} in the prose, {right.get(key)} in the vectors")
    used = {test.get("code") for tests in families.values() for test in tests} - {None}
    for code in used - prose.keys():
        fail("vectors", f"{code} is not in errors.md")


def check_permissions(validators):
    """permissions.md names each permission once, gives a role all that the one below has, and knows its requests."""
    names = []
    orders = [["no"] * without + ["yes"] * (4 - without) for without in range(4)]
    for name, guest, user, curator, admin, requests in table_rows("permissions.md", 6):
        names.append(name)
        counts["rows and examples"] += 1
        if [guest, user, curator, admin] not in orders:
            fail("permissions.md", f"{name}: {guest}, {user}, {curator}, {admin} is no order of roles")
        for request in re.findall(r"`([^`]+)`", requests):
            if f"requests/{request}" not in validators:
                fail("permissions.md", f"{name}: there is no request {request}")
    if not names or len(set(names)) != len(names):
        fail("permissions.md", "the table of permissions is missing, or names one twice")


def check_prose(validators, families):
    """Every message has its heading on some page, and every JSON example in the prose fits its schema."""
    headings = set()
    for path in sorted((PROTOCOL / "spec").glob("*.md")) + [PROTOCOL / "README.md"]:
        text = path.read_text(encoding="utf-8")
        headings |= {line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")}
        for target in re.findall(r"\]\(([^)#]+)", text):
            if "://" not in target and not (path.parent / target).exists():
                fail(path.name, f"links to {target}, which is not there")
        waiting = {}
        for line in text.splitlines():
            example = re.match(r'^(?:[CS]> )?(\{"type":.*\})$', line.strip())
            if not example:
                continue
            try:
                message = strict_json(example[1])
            except ValueError as error:
                fail(path.name, f"an example is not JSON ({error}): {line}")
                continue
            kind = message["type"]
            if kind == "ok":
                name = f"replies/{waiting.get(message['id'])}"
            elif kind == "error":
                name = "replies/error"
            elif "id" in message:
                waiting[message["id"]] = kind
                name = f"requests/{kind}"
            else:
                name = f"events/{kind}"
            if name not in validators:
                fail(path.name, f"an example answers nothing: {line}")
                continue
            for error in validators[name].iter_errors(message):
                fail(path.name, f"an example does not fit {name}: {error.json_path}: {error.message}")
            counts["rows and examples"] += 1
    check_hexadecimal_examples()
    names = {name.split("/")[1] for name in validators if "/" in name} - {"error"}
    table = json.loads((PROTOCOL / "schema" / "frames.json").read_text(encoding="utf-8"))
    for name in sorted(names | {frame["name"] for frame in table["frames"]}):
        if name not in headings:
            fail("spec/", f"no heading for {name}")


def check_hexadecimal_examples():
    """Every binary message shown in README.md can be decoded by the layout table."""
    table = json.loads((PROTOCOL / "schema" / "frames.json").read_text(encoding="utf-8"))
    by_type = {frame["type"]: frame for frame in table["frames"]}
    text = (PROTOCOL / "README.md").read_text(encoding="utf-8")
    for example in re.findall(r"^[CS]> ((?:[0-9a-f]{2}\s+)+)", text, re.MULTILINE):
        data = bytes.fromhex(example)
        counts["rows and examples"] += 1
        try:
            decode_frame(by_type[data[0]], data)
        except (KeyError, ValueError) as error:
            fail("README.md", f"{example[:30]}… is no frame: {error}")


def check_asyncapi(validators):
    """The document fits AsyncAPI 3.0.0, its references lead somewhere, and it covers every message and frame."""
    text = (PROTOCOL / "asyncapi.yaml").read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from asyncapi3 import AsyncAPI3

            AsyncAPI3.model_validate(document)
    except Exception as error:
        fail("asyncapi.yaml", str(error))
    files = set()

    def walk(node):
        if isinstance(node, dict):
            target = node.get("$ref")
            if isinstance(target, str):
                if target.startswith("#/"):
                    place = document
                    for part in target[2:].split("/"):
                        place = place.get(part) if isinstance(place, dict) else None
                    if place is None:
                        fail("asyncapi.yaml", f"{target} leads nowhere")
                else:
                    files.add(target)
            for child in node.values():
                walk(child)
        elif isinstance(node, list):
            for child in node:
                walk(child)

    walk(document)
    base = (PROTOCOL / "schema").as_uri()
    wanted = {validator.schema["$ref"].replace(base, "./schema") for name, validator in validators.items() if "/" in name}
    for target in sorted(wanted ^ files):
        fail("asyncapi.yaml", f"{target}: referred to and existing do not agree")
    table = json.loads((PROTOCOL / "schema" / "frames.json").read_text(encoding="utf-8"))
    titles = {message["title"] for message in document["components"]["messages"].values()}
    for frame in table["frames"]:
        if frame["name"] not in titles:
            fail("asyncapi.yaml", f"{frame['name']} is missing")


def main():
    validators = load_schemas()
    families = load_vectors(validators)
    check_texts(validators, families)
    check_identifiers(validators, families)
    check_frames(families)
    check_tables(families)
    check_permissions(validators)
    check_prose(validators, families)
    check_asyncapi(validators)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(", ".join(f"{count} {name}" for name, count in counts.items()), f"and {len(failures)} contradictions")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
