import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-transcripts-')));
const line = { type: 'user', uuid: 'u1', sessionId: 's1', message: { content: '値引きを直して' } };
await writeFile('session.jsonl', `${JSON.stringify(line)}\n`);

// #region read
import { readLines, readTranscript, TranscriptReader } from '@vizprompt/providers/transcripts';

const reader = new TranscriptReader();
for await (const { role, parts, place } of readTranscript(readLines('session.jsonl'), reader)) {
  for (const part of parts) {
    if (part.type === 'text') console.log(place?.line, role, part.text);
    if (part.type === 'tool-call') console.log(place?.line, part.tool, part.input);
  }
}
console.log(reader.agent, reader.sessions);
// #endregion read
