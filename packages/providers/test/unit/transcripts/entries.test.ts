import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@vizprompt/providers';
import {
  loadTranscriptState,
  newTranscriptState,
  readTranscript,
  saveTranscriptState,
  TRANSCRIPT_AGENTS,
  TranscriptReader,
  type TranscriptEntry,
} from '../../../src/transcripts/index.ts';
import { TABLE, TEXT, TIME } from '../../support/transcript-lines.ts';

const factsOf = ({ kind, type, role, parts }: TranscriptEntry): readonly unknown[] => [
  kind,
  type,
  role,
  ...parts,
];

async function readAll(
  lines: readonly string[],
  reader: TranscriptReader,
): Promise<readonly TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  for await (const entry of readTranscript(lines, reader)) entries.push(entry);
  return entries;
}

describe.each(TRANSCRIPT_AGENTS)('a transcript of %s', (agent) => {
  const rows = TABLE[agent];
  const lines = rows.map(([line]) => JSON.stringify(line));

  it('becomes entries, texts exactly as in the file', async () => {
    const entries = await readAll(lines, new TranscriptReader());
    const expected = rows.flatMap(([, ...each]) => each);
    expect(entries.map(factsOf)).toMatchObject(expected);
    expect(entries.map(({ parts }) => parts.length)).toEqual(
      expected.map(({ length }) => length - 3),
    );
  });

  it('is recognized, and names its session, folder and times', async () => {
    const entries = await readAll(lines, new TranscriptReader());
    expect(entries.map((entry) => entry.agent)).toEqual(entries.map(() => agent));
    const session = `${agent.replace('-code', '')}-1`;
    expect(entries.at(-1)?.session).toMatchObject({ sourceId: session, workspacePath: '/shop' });
    const said = entries.filter(({ kind }) => kind === 'message');
    expect(said.map(({ time }) => time)).toEqual(said.map(() => TIME));
  });

  it('links its entries', async () => {
    const entries = await readAll(lines, new TranscriptReader());
    const ids = new Set(entries.map(({ id }) => id));
    const parents = entries.flatMap(({ parent }) => (parent === undefined ? [] : [parent]));
    expect(parents.length).toBeGreaterThan(0);
    expect(parents.filter((parent) => !ids.has(parent))).toEqual([]);
  });

  it('continues from a saved state after every line', async () => {
    const whole = await readAll(lines, new TranscriptReader({ agent }));
    for (let cut = 0; cut <= lines.length; cut++) {
      const first = new TranscriptReader({ agent });
      const before = await readAll(lines.slice(0, cut), first);
      const saved = JSON.parse(JSON.stringify(saveTranscriptState(first.state))) as JsonObject;
      const state = loadTranscriptState(saved, newTranscriptState());
      const after = await readAll(lines.slice(cut), new TranscriptReader({ agent, state }));
      const plain = (entries: readonly TranscriptEntry[]): unknown =>
        entries.map(({ session: _session, ...entry }) => entry);
      expect(plain([...before, ...after])).toEqual(plain(whole));
    }
  });

  it('keeps lines that are truncated or no JSON, and their places', () => {
    const reader = new TranscriptReader({ agent });
    const [first = ''] = lines;
    const torn = `${first.slice(0, 20)}${first}`;
    const entries = reader.read({ text: torn, line: 3, offset: 70, isWhole: true });
    expect(entries.map(({ kind }) => kind)).toEqual(['broken', rows[0]?.[1]?.[0]]);
    expect(entries[0]).toMatchObject({ raw: first.slice(0, 20), place: { line: 3, offset: 70 } });
    expect(reader.read('[1]')).toMatchObject([{ kind: 'unknown', raw: [1] }]);
    // The last line of a file that is being written.
    expect(reader.read({ text: first.slice(0, 20), isWhole: false })).toEqual([]);
  });

  it('replaces halves of characters if it is asked to', () => {
    const texts = (wellFormed: boolean): readonly string[] => {
      const reader = new TranscriptReader({ agent, wellFormed });
      const parts = lines.flatMap((line) => reader.read(line)).flatMap((entry) => entry.parts);
      return parts.flatMap((part) => ('text' in part ? [part.text] : []));
    };
    expect(texts(false)).toContain(TEXT);
    expect(texts(true)).toContain(TEXT.toWellFormed());
    expect(texts(true).every((text) => text.isWellFormed())).toBe(true);
  });
});
