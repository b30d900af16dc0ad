"""Adds a message to a session by what docs/formats/memory.md says, and nothing else."""

import json
import sqlite3
import sys
import uuid
from datetime import datetime, timezone

path, session, content = sys.argv[1:4]
now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
event = str(uuid.uuid4())

database = sqlite3.connect(path, isolation_level=None)
database.execute("PRAGMA synchronous = FULL")
database.execute("BEGIN IMMEDIATE")
[(key, tenant, sequence)] = database.execute(
    """UPDATE memory_sessions SET event_count = event_count + 1, updated_at = ?
       WHERE tenant = '' AND id = ? AND ended_at IS NULL RETURNING key, tenant, event_count""",
    (now, session),
).fetchall()
database.execute(
    """INSERT INTO memory_events (tenant, id, session_key, sequence, timestamp, type, data_text, redactions)
       VALUES (?, ?, ?, ?, ?, 'user_message', ?, 0)""",
    (tenant, event, key, sequence, now, json.dumps({"content": content})),
)
# The words are made again at the next opening.
database.execute("DELETE FROM derived_text_index WHERE name = 'memory_text'")
database.execute("COMMIT")
database.close()
print(json.dumps({"event_id": event, "sequence": sequence}))
