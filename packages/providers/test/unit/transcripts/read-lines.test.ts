import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileLine, readLines } from '../../../src/transcripts/index.ts';
import { linesOfBytes } from '../../../src/transcripts/internal.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Encoding = 'utf-16be' | 'utf-16le' | 'utf-8';

function bytesOf(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

async function linesOf(
  bytes: Uint8Array,
  options?: Parameters<typeof readLines>[1],
): Promise<readonly FileLine[]> {
  const path = join(folder, 'log.jsonl');
  await writeFile(path, bytes);
  const all: FileLine[] = [];
  for await (const lines of readLines(path, options)) all.push(...lines);
  return all;
}

async function inMemory(
  bytes: Uint8Array,
  options?: Parameters<typeof linesOfBytes>[1],
): Promise<readonly FileLine[]> {
  const all: FileLine[] = [];
  for await (const lines of linesOfBytes(bytes, options)) all.push(...lines);
  return all;
}

/** Characters whose halves look like newlines, too: Ċ, ਊ, ਀. */
const content = fc.string({
  unit: fc.constantFrom('a', 'あ', '😀', '\u010a', '\u0a0a', '\u0a00', '\t', '"'),
  maxLength: 12,
});

describe('lines of a file', () => {
  it('are the same in UTF-8 and UTF-16, with and without a mark, from each line on', async () => {
    const written = fc.record({
      contents: fc.array(content, { minLength: 1, maxLength: 6 }),
      encoding: fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be'),
      mark: fc.constantFrom('', '\uFEFF'),
      newline: fc.constantFrom('\n', '\r\n'),
      isEnded: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(written, async ({ contents, encoding, mark, newline, isEnded }) => {
        // A log begins with an object.
        const texts = ['{}', ...contents, 'end'];
        const text = mark + texts.join(newline) + (isEnded ? newline : '');
        const bytes = bytesOf(text, encoding);
        const lines = await linesOf(bytes);
        expect(await inMemory(bytes)).toEqual(lines);
        expect(lines.map((line) => line.text)).toEqual(texts);
        expect(lines.at(-1)).toMatchObject({ isWhole: isEnded, end: bytes.length });
        for (const [at, { end }] of lines.slice(0, -1).entries()) {
          const rest = await linesOf(bytes, { start: end });
          expect(rest.map((line) => line.text)).toEqual(texts.slice(at + 1));
          expect(rest[0]?.offset).toBe(end);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are whole where a chunk ends within them', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `{"a":"${'あ'.repeat(40_001)}${at}"}`);
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      const bytes = bytesOf(texts.join('\n'), encoding);
      const lines = await linesOf(bytes);
      expect(await inMemory(bytes)).toEqual(lines);
      expect(lines.map(({ text }) => text)).toEqual(texts);
    }
  });

  it('leave out empty ones in UTF-16, and half a character at the end', async () => {
    const bytes = bytesOf('{}\n\n\n{"a":1}\n{"b', 'utf-16le');
    const cut = Buffer.concat([bytes, Buffer.from('"')]);
    const lines = await linesOf(cut, { skipEmpty: true });
    expect(await inMemory(cut, { skipEmpty: true })).toEqual(lines);
    expect(lines.map(({ text, line }) => [text, line])).toEqual([
      ['{}', 1],
      ['{"a":1}', 4],
      ['{"b\ufffd', 5],
    ]);
    expect(lines.at(-1)).toMatchObject({ isWhole: false, end: bytes.length + 1 });
  });
});
