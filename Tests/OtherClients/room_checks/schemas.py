"""As much of JSON Schema 2020-12 as Protocol/schema/ uses."""
import functools, json, pathlib, re

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Protocol" / "schema"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
BOUNDS = {"minLength": lambda v, b: len(v) >= b, "maxLength": lambda v, b: len(v) <= b,
          "minItems": lambda v, b: len(v) >= b, "maxItems": lambda v, b: len(v) <= b,
          "minimum": lambda v, b: v >= b, "maximum": lambda v, b: v <= b}
OF = {"minLength": str, "maxLength": str, "minItems": list, "maxItems": list, "minimum": (int, float),
      "maximum": (int, float)}
KNOWN = {"$schema", "$comment", "$ref", "$defs", "title", "description", "type", "properties", "required", "anyOf", "oneOf",
         "allOf", "not", "const", "enum", "pattern", "items", "uniqueItems", "if", "then", *BOUNDS}


@functools.cache
def load(path):
    return json.loads(path.read_text())


@functools.cache
def places():
    """Of every message, named such as `events/room.updated`: its file in schema/ and its definition there."""
    kinds = {"request": "requests", "reply": "replies", "event": "events"}
    found = {}
    for path in FOLDER.glob("*.json"):
        if path.name not in ("objects.json", "frames.json", "vectors.json"):
            for name in load(path)["$defs"]:
                message, kind = name.rsplit(".", 1)
                found[f"{kinds[kind]}/{message}"] = (path, name)
    return found


def messages(kind):
    """The types of all `requests` or `events`."""
    return {name.partition("/")[2] for name in places() if name.startswith(kind + "/")}


def exists(name):
    return name in places()


def faults(name, value):
    """What is wrong with a message, as sentences; `name` is one of `places()`."""
    path, definition = places()[name]
    return list(_faults(load(path)["$defs"][definition], value, path, name))


def is_type(value, word):
    if word in ("integer", "number"):
        return isinstance(value, int if word == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[word])


def _fits(schema, value, path):
    return next(_faults(schema, value, path, ""), None) is None


def _faults(schema, value, path, at):
    if unknown := schema.keys() - KNOWN:
        raise ValueError(f"{at}: the checks do not know {unknown}")
    if "$ref" in schema:
        file, _, inside = schema["$ref"].partition("#")
        target = (path.parent / file).resolve() if file else path
        found = functools.reduce(lambda node, key: node[key], inside.strip("/").split("/"), load(target))
        yield from _faults(found, value, target, at)
    types = schema.get("type", [])
    if types and not any(is_type(value, word) for word in ([types] if isinstance(types, str) else types)):
        yield f"{at}: {str(value)[:60]!r} is not of type {types}"
        return
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {str(value)[:60]!r} is not one of {schema.get('enum', schema.get('const'))}"
    for word, holds in BOUNDS.items():
        if word in schema and isinstance(value, OF[word]) and not isinstance(value, bool) \
                and not holds(value, schema[word]):
            yield f"{at}: {str(value)[:60]!r} is against {word} {schema[word]}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{at}: {value[:60]!r} is against {schema['pattern']}"
    if isinstance(value, dict):
        yield from (f"{at}.{key} is missing" for key in schema.get("required", ()) if key not in value)
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                yield from _faults(inner, value[key], path, f"{at}.{key}")
    if isinstance(value, list):
        if schema.get("uniqueItems") and len({json.dumps(v, sort_keys=True) for v in value}) < len(value):
            yield f"{at}: something is there twice"
        for k, item in enumerate(value if "items" in schema else ()):
            yield from _faults(schema["items"], item, path, f"{at}[{k}]")
    for inner in schema.get("allOf", ()):
        yield from _faults(inner, value, path, at)
    if "anyOf" in schema and not any(_fits(inner, value, path) for inner in schema["anyOf"]):
        likely = [f for inner in schema["anyOf"] if inner.get("type") != "null"
                  for f in _faults(inner, value, path, at)]
        yield f"{at}: {str(value)[:60]!r} fits none ({'; '.join(likely[:2])})"
    if "oneOf" in schema and sum(_fits(inner, value, path) for inner in schema["oneOf"]) != 1:
        yield f"{at}: {str(value)[:60]!r} fits none, or several"
    if "not" in schema and _fits(schema["not"], value, path):
        yield f"{at}: {str(value)[:60]!r} is what it may not be"
    if "if" in schema and "then" in schema and _fits(schema["if"], value, path):
        yield from _faults(schema["then"], value, path, at)
