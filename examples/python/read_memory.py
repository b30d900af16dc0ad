"""Reads the SQLite file of a memory by what docs/formats/memory.md says, and nothing else.

Prints one JSON object: the sessions of a tenant with their events in order, all texts in place.
"""

import hashlib
import json
import sqlite3
import sys
import zlib
from pathlib import Path

path, tenant = sys.argv[1], (sys.argv[2] if len(sys.argv) > 2 else "")
database = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
database.row_factory = sqlite3.Row
KNOWN_STEPS = int(sys.argv[3]) if len(sys.argv) > 3 else None
TEXTS = {"old_content": "old_hash", "new_content": "new_hash", "diff": "diff_hash"}


def rows(sql, *values):
    return database.execute(sql, values).fetchall()


def content(digest):
    """A text that was stored once, by the hash of its bytes."""
    [(encoding, data, size)] = rows(
        "SELECT encoding, data, size FROM memory_blobs WHERE tenant = ? AND hash = ?",
        tenant,
        digest,
    )
    raw = zlib.decompress(data, wbits=-15) if encoding == "deflate" else data
    assert len(raw) == size and hashlib.sha256(raw).hexdigest() == digest
    return raw.decode("utf-8")


def data_of(row):
    """The data of an event but for its texts, which may be packed."""
    if row["type"] == "forgotten":
        return {}
    if row["packed"] is None:
        return json.loads(row["data_text"])
    raw = zlib.decompress(row["packed"], wbits=-15)
    assert len(raw) == row["data_size"]
    return json.loads(raw.decode("utf-8"))


def event(row, session):
    data = data_of(row)
    for field, column in TEXTS.items():
        if row[column] is not None:
            data[field] = content(row[column])
    if row["type"] == "file_edit":
        data.setdefault("diff", "")
    return {
        "id": row["id"],
        "session_id": session,
        "sequence": row["sequence"],
        "timestamp": row["timestamp"],
        "type": row["type"],
        "data": data,
        "parent_event_id": row["parent_event_id"],
        "meta": None if row["meta"] is None else json.loads(row["meta"]),
        "redactions": row["redactions"],
    }


def session(row):
    events = rows("SELECT * FROM memory_events WHERE session_key = ? ORDER BY sequence", row["key"])
    assert [one["sequence"] for one in events] == list(range(1, row["event_count"] + 1))
    return {
        "id": row["id"],
        "workspace_path": row["workspace_path"],
        "started_at": row["started_at"],
        "ended_at": row["ended_at"],
        "metadata": json.loads(row["metadata"]),
        "events": [event(one, row["id"]) for one in events],
    }


[(seen,)] = rows("SELECT max(version) FROM vizprompt_migrations WHERE component = 'memory'")
if KNOWN_STEPS is not None and seen > KNOWN_STEPS:
    sys.exit(f"{path} has seen step {seen} of memory, and this reader knows those up to {KNOWN_STEPS}")
sessions = rows("SELECT * FROM memory_sessions WHERE tenant = ? ORDER BY started_at, key", tenant)
print(json.dumps({"steps": seen, "sessions": [session(row) for row in sessions]}))
