# SPDX-License-Identifier: MIT
"""Asks a schema and the reader of its documents about every field, with values that may and may not stand there.

A document that gives every field of the schema a good value is changed at one place at a time; the schema's answer for
that value and the reader's findings at that place must agree.
"""
import copy
import json

import jsonschema

# For every field, whatever it is.
PROBES = [None, True, False, 0, 1, 7, -1, 1.5, 1e20, "", "zzz", "n1", "16Gi", "1T", "500m", "90s", "1h30m", "1.5h", "0s",
          "10 m", "-5s", "2025-10-09T08:53:20Z", "2025-10-09 08:53", "a\u0007b", "x" * 3000, [], ["zzz"], [1], [-1], [[0, 1]],
          [None], {}, {"zzz": 1}, {"zzz": "1Gi"}, {"zzz": "some"}, {"zzz": None}, {"x-own": [1, {"a": None}]}]


def resolve(schema, root):
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def branches(schema, root):
    """The schema itself and whatever it may be instead."""
    schema = resolve(schema, root)
    yield schema
    for other in schema.get("anyOf", []):
        yield from branches(other, root)


def branches_of(value, schema, root, validator):
    """Those of a value: where only one of several can hold, that one."""
    for branch in branches(schema, root):
        yield branch
        for other in branch.get("oneOf", []):
            if validator.evolve(schema=other).is_valid(value):
                yield from branches(other, root)


def bounds(schema, root):
    """Numbers at and beyond the edges, and every word, of a schema."""
    for branch in branches(schema, root):
        for word in branch.get("enum", []):
            yield word
        for edge in ("minimum", "exclusiveMinimum", "maximum"):
            if edge in branch:
                yield branch[edge]
                yield branch[edge] + (1 if edge == "maximum" else -1)


def conditional(schema, value, validator):
    """The properties that an object has because of the values of others."""
    for rule in schema.get("allOf", []):
        if "if" in rule and validator.evolve(schema=rule["if"]).is_valid(value):
            yield rule["then"]


def places(value, schema, root, validator, path=()):
    """(path, object's schema, field, field's schema) of every field of a document, and of unknown and missing ones."""
    for branch in branches_of(value, schema, root, validator):
        if isinstance(value, dict) and branch.get("type") in ("object", ["object", "null"]):
            known = dict(branch.get("properties", {}))
            for then in conditional(branch, value, validator):
                known.update(then["properties"])
            for key, inner in value.items():
                field = known.get(key, branch.get("additionalProperties"))
                if not isinstance(field, dict):
                    continue
                yield (*path, key), branch, key, field
                yield from places(inner, field, root, validator, (*path, key))
        if isinstance(value, list) and "items" in branch:
            for i, inner in enumerate(value):
                yield from places(inner, branch["items"], root, validator, (*path, i))


def value_at(document, path):
    for step in path:
        document = document[step]
    return document


def changed(document, path, value):
    copied = copy.deepcopy(document)
    value_at(copied, path[:-1])[path[-1]] = value
    return copied


def without(document, path):
    copied = copy.deepcopy(document)
    del value_at(copied, path[:-1])[path[-1]]
    return copied


def shown(path):
    """`jobs[0].tasks[1].id`, as findings show it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("_", "").replace("-", "").isalnum():
            text += ("." if text else "") + step
        else:
            text += f"['{step}']"
    return text


class Question:
    """One changed document: what the schema says, and at which place the reader is asked."""

    def __init__(self, document, path, valid, what, missing=None):
        self.document, self.path, self.valid, self.what = document, shown(path), valid, what
        self.parent, self.missing = shown(path[:-1]), missing

    def refusals(self, findings):
        """The reader's errors at the place or below it, or about what is missing there."""
        return [f["text"] for f in findings if f["severity"] == "error" and
                (f["path"] == self.path or f["path"].startswith((self.path + ".", self.path + "[")) or
                 (self.missing and f["path"] == self.parent and f"'{self.missing}'" in f["text"]))]


def questions(document, schema, definitions=None):
    """Every field with every probe, every field left out, and an unknown field in every object.

    With `definitions`, only about the fields of these objects.
    """
    validator = jsonschema.Draft202012Validator(schema)
    wanted = {id(schema["$defs"][name]) for name in definitions or []}
    seen = set()
    for path, owner, key, field in places(document, schema, schema, validator):
        mark = (id(owner), key) if key in owner.get("properties", {}) else (id(field), key)
        if mark in seen or (wanted and id(owner) not in wanted):
            continue
        seen.add(mark)
        ask = validator.evolve(schema=field)
        tried = []
        for value in [*PROBES, *bounds(field, schema)]:
            if any(value == other and type(value) is type(other) for other in tried):
                continue
            tried.append(value)
            yield Question(changed(document, path, value), path, ask.is_valid(value), f"{key}: {value!r:.60}")
        if key in owner.get("properties", {}):
            left = without(document, path)
            valid = validator.evolve(schema=owner).is_valid(value_at(left, path[:-1]))
            yield Question(left, path, valid, f"{key} left out", missing=key)
        if owner.get("additionalProperties") is False and (id(owner), None) not in seen:
            seen.add((id(owner), None))
            for name in ("zzz", "x-zzz"):
                at = (*path[:-1], name)
                valid = name.startswith("x-") and "patternProperties" in owner
                yield Question(changed(document, at, 1), at, valid, f"{name} beside {key}")


def fields_of(schema):
    """(definition, field) of every field that a schema knows."""
    return {(name, field) for name, definition in schema["$defs"].items()
            for field in definition.get("properties", {})}


def reached(document, schema):
    """Those that a document has a value for."""
    validator = jsonschema.Draft202012Validator(schema)
    names = {id(definition): name for name, definition in schema["$defs"].items()}
    return {(names[id(owner)], key) for _, owner, key, _ in places(document, schema, schema, validator)
            if id(owner) in names and key in owner.get("properties", {})}


def ask_reader(test, questions_asked):
    """The findings of `cede check` for every document, in order."""
    files = []
    for number, question in enumerate(questions_asked):
        name = f"q{number}.json"
        test.write(name, json.dumps(question.document))
        files.append(name)
    found = []
    for at in range(0, len(files), 400):
        found += json.loads(test.cede("check", "--json", *files[at:at + 400])[1])["files"]
    return [file["findings"] for file in found]
