import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ImportSource, readSource } from '../../src/import/read-source.ts';
import { DEFAULT_LIMITS, type ImportLimits } from '../../src/limits.ts';
import { zip } from '../fixtures/zip.ts';
import { openProject } from '../support/open-project.ts';

const CHAT = { uuid: 'c', chat_messages: [{ uuid: 'm', sender: 'human', text: 'q' }] };

function saved(name: string, content: string | Buffer): string {
  const path = join(mkdtempSync(join(tmpdir(), 'limits-')), name);
  writeFileSync(path, content);
  return path;
}

async function entriesOf(source: ImportSource, limits: Partial<ImportLimits> = {}) {
  const entries = [];
  for await (const entry of readSource(source, { limits: { ...DEFAULT_LIMITS, ...limits } })) {
    entries.push(entry);
  }
  return entries;
}

describe('limits of an import', () => {
  it('drop white space between values, wherever it is, and not within strings', async () => {
    const blank = ' \n\t'.repeat(30_000);
    const json = `${blank}[${blank}{"a":${blank}"x${'  '.repeat(10_000)}y"${blank}}${blank},${blank}{"b":1}]${blank}`;
    const limits = { entryCharacters: 25_000 };
    const entries = await entriesOf(saved('blank.json', json), limits);
    const [first, second] = entries.map(({ value }) => JSON.stringify(value));
    // A failed comparison of long texts would be printed whole.
    expect(first === `{"a":"x${'  '.repeat(10_000)}y"}`).toBe(true);
    expect(second).toBe('{"b":1}');
  });

  it.each([
    ['a string', `[{"a":"${'x'.repeat(5000)}"},${JSON.stringify(CHAT)}]`],
    ['a list', `[{"a":[${'1,'.repeat(3000)}1]},${JSON.stringify(CHAT)}]`],
    ['text between entries', `[${'x'.repeat(5000)},${JSON.stringify(CHAT)}]`],
    [
      'an entry nested too deeply',
      `[{"a":${'['.repeat(300)}${']'.repeat(300)}},${JSON.stringify(CHAT)}]`,
    ],
    ['a record of a session', `{"a":"${'x'.repeat(5000)}"}\n${JSON.stringify(CHAT)}\n`],
  ])('leave out %s beyond them, and read the rest', async (name, text) => {
    const file = saved(name.includes('record') ? 'x.jsonl' : 'x.json', text);
    const entries = await entriesOf(file, { entryCharacters: 4000 });
    expect(entries.map(({ value }) => value)).toEqual([undefined, CHAT]);
    expect(entries[0]?.error).toMatch(
      /more than 4000 characters: split it|nested deeper than 200 levels/,
    );
  });

  it('end the records of one session', async () => {
    const records = Array.from({ length: 50 }, (_, at) =>
      JSON.stringify({ type: 'x', at, text: 'y'.repeat(100) }),
    );
    const [entry, ...others] = await entriesOf(saved('s.jsonl', records.join('\n')), {
      entryCharacters: 3000,
    });
    expect(others).toEqual([]);
    expect(entry?.error).toMatch('its records have more than 3000 characters');
  });

  it('refuse an archive that unpacks to much more than it takes, before it is unpacked', async () => {
    const archive = zip({ 'conversations.json': '[]' });
    // Its directory says what it unpacks to.
    archive.writeUInt32LE(40 << 20, archive.indexOf('PK\u0001\u0002') + 24);
    const bomb = saved('bomb.zip', archive);
    const vizprompt = await openProject();
    await expect(vizprompt.importConversations(bomb)).rejects.toMatchObject({
      code: 'import-unreadable',
      message: expect.stringMatching(
        /unpacks from \d+ to 41943040 bytes, more than 200 times.*limits\.zipRatio/,
      ),
    });
    await expect(entriesOf(bomb, { zipRatio: 1 << 24 })).rejects.toThrow('not enough bytes');
  });

  it.each([
    ['gzip', (bomb: Buffer) => saved('bomb.json.gz', bomb)],
    ['gzip of several members', (bomb: Buffer) => saved('b.jsonl.gz', Buffer.concat([bomb, bomb]))],
    ['gzip in a zip archive', (bomb: Buffer) => saved('bomb.zip', zip({ 'chats.jsonl.gz': bomb }))],
    ['gzip in a folder', (bomb: Buffer) => dirname(saved('bomb.jsonl.gz', bomb))],
  ])('refuse %s that unpacks to much more than it takes', async (_, sourceOf) => {
    const source = sourceOf(gzipSync(`[${' '.repeat(40 << 20)}]`));
    const reading = entriesOf(source);
    await expect(reading).rejects.toMatchObject({
      code: 'import-unreadable',
      message: expect.stringMatching(/unpacks from \d+ to \d+ bytes, more than 200 times/),
    });
  });

  it('end a source of nothing but entries that cannot be read', async () => {
    const vizprompt = await openProject({ limits: { skippedEntries: 100 } });
    const source = saved('e.json', `[${'[],'.repeat(101)}[]]`);
    await expect(vizprompt.importConversations(source)).rejects.toMatchObject({
      code: 'import-unreadable',
      message: expect.stringMatching('more than 100 entries cannot be read'),
    });
  });

  it('let a signal end a file between two of its pieces', async () => {
    const controller = new AbortController();
    const options = { limits: DEFAULT_LIMITS, signal: controller.signal };
    const reading = readSource(saved('long.json', `[${' '.repeat(1 << 20)}]`), options).next();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('let a signal end the reading of the directory of an archive', async () => {
    const path = saved('many.zip', zip({ 'a.png': 'no conversation' }));
    const options = { limits: DEFAULT_LIMITS, signal: AbortSignal.abort(new Error('enough')) };
    await expect(readSource(path, options).next()).rejects.toThrow('enough');
  });

  it('hold for what a project writes, too', async () => {
    const vizprompt = await openProject({ limits: { nodeBytes: 2000 } });
    await expect(vizprompt.createNode({ prompt: 'x'.repeat(3000) })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching('limits.nodeBytes'),
    });
    const long = {
      ...CHAT,
      chat_messages: [{ uuid: 'm', sender: 'human', text: 'q'.repeat(3000) }],
    };
    const report = await vizprompt.importConversations([long, { ...CHAT, uuid: 'd' }]);
    expect(report.conversations).toMatchObject({ imported: 1, skipped: 1 });
  });
});
