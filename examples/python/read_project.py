"""Reads a project of VizPrompt by what docs/formats says, and nothing else.

Prints one JSON object: the nodes by id, the flows, and what the maps say. Needs PyYAML.
"""

import json
import re
import sys
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import yaml

root = Path(sys.argv[1])


def text(element):
    """A short text, whose element says whether it is escaped."""
    if element is None:
        return None
    return unescaped(element, "".join(element.itertext()))


def long_text(element):
    """A long text: one line feed at each end is not part of it."""
    if element is None:
        return ""
    content = "".join(element.itertext())
    if len(content) >= 2 and content[0] == content[-1] == "\n":
        content = content[1:-1]
    return unescaped(element, content)


def unescaped(element, content):
    return unescape(content) if element.get("encoding") == "escaped" else content


def unescape(content):
    def character(match):
        return "\\" if match[1] is None else chr(int(match[1], 16))

    return re.sub(r"\\(?:\\|u([0-9A-Fa-f]{4}))", character, content)


def attribute(element, name):
    value = element.get(name)
    return None if value is None else unescape(value)


def part(element, side):
    kind = element.get("type")
    origin = {name: attribute(element, name) for name in ("role", "name", "source", "time")}
    meta = attribute(element, "meta")
    origin["meta"] = None if meta is None else json.loads(meta)
    if kind == "text":
        units = side.encode("utf-16-le", "surrogatepass")
        start, end = int(element.get("start")), int(element.get("end"))
        content = {"text": units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")}
    elif kind == "reasoning":
        content = {"text": long_text(element)}
    elif kind in ("tool-call", "tool-result", "file", "data"):
        content = json.loads(long_text(element))
    else:
        kind, content = "data", {"kind": kind, "value": long_text(element)}
    return {"type": kind, **{k: v for k, v in origin.items() if v is not None}, **content}


def read_node(path):
    node = ElementTree.fromstring(path.read_bytes())
    metadata = node.find("metadata")
    metadata = ElementTree.Element("metadata") if metadata is None else metadata
    summary = metadata.find("summary")
    sides = {side: long_text(node.find(side)) for side in ("prompt", "response")}
    return {
        "id": attribute(node, "id"),
        "timestamp": attribute(node, "timestamp"),
        **sides,
        "model": text(metadata.find("model")),
        "stats": {
            stats.get("role"): {k: float(stats.get(k)) for k in ("count", "duration", "rate")}
            for stats in metadata.findall("stats")
        },
        "summary": text(summary) or "",
        "outdated": summary is None or summary.get("updated") != "false",
        "tags": [text(tag) for tag in metadata.findall("tags/tag")],
        "status": text(metadata.find("status")) or "done",
        "speaker": text(metadata.find("speaker")),
        "source": text(metadata.find("source")),
        "parts": {
            parts.get("side"): [part(one, sides[parts.get("side")]) for one in parts]
            for parts in node.findall("parts")
        },
    }


def in_order(folder, ending):
    """The files in their order: folders as they are counted."""
    files = [path for path in (root / folder).rglob("*" + ending) if path.is_file()]
    names = [path.relative_to(root / folder).as_posix() for path in files]
    return sorted(names, key=lambda name: (len(name.rpartition("/")[0]), name))


def moment(timestamp):
    """A time as a point in time; digits below a microsecond count too."""
    digits = re.search(r"[.,](\d+)", timestamp)
    whole = re.sub(r"[.,]\d+", "", timestamp)
    return datetime.fromisoformat(whole).timestamp(), float("0." + (digits[1] if digits else "0"))


def read_nodes():
    nodes = {}
    for name in in_order("nodes", ".xml"):
        node = {**read_node(root / "nodes" / name), "file": name}
        known = nodes.get(node["id"])
        if known is None or moment(node["timestamp"]) >= moment(known["timestamp"]):
            nodes[node["id"]] = node
    return nodes


def read_yaml(path):
    # Everything is text: a time would become a date, and lose how it was written.
    return yaml.load(path.read_text("utf-8-sig"), yaml.BaseLoader)


def read_flow(name):
    flow = read_yaml(root / "flows" / name)
    nodes = flow.get("nodes") or []
    by_index = {node["index"]: node["id"] for node in nodes}
    edges = []
    for edge in flow.get("connections") or []:
        ends = [edge.get(end + "_id") or by_index[edge[end]] for end in ("from", "to")]
        if ends not in [known[:2] for known in edges]:
            edges.append([*ends, edge.get("branch")])
    ids = [node["id"] for node in nodes]
    head = flow.get("head")
    return {
        "id": flow["id"],
        "name": flow.get("name", Path(name).stem),
        "alias": flow.get("alias"),
        "head": head if head in ids else (ids[-1] if ids else None),
        "nodes": ids,
        "edges": edges,
    }


def read_map(name):
    lines = (root / "metadata" / name).read_text("utf-8").splitlines()
    header = lines[0].split("\t")
    return [dict(zip(header, line.split("\t"))) for line in lines[1:]]


def read_metadata(name, key):
    path = root / "metadata" / name
    return (read_yaml(path).get(key) or {}) if path.exists() else {}


index = read_metadata("index.yaml", "nodes")
keywords = {id: entry["keywords"].split(",") for id, entry in index.items() if entry["keywords"]}
print(
    json.dumps(
        {
            "config": read_yaml(root / "config.yaml"),
            "nodes": read_nodes(),
            "flows": [read_flow(name) for name in in_order("flows", ".yaml")],
            "nodeMap": read_map("node_map.tsv"),
            "flowMap": read_map("flow_map.tsv"),
            "tags": read_metadata("tags.yaml", "tags"),
            "keywords": keywords,
        }
    )
)
