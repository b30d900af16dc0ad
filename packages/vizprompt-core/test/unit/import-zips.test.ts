import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../fixtures/zip.ts';
import { openProject } from '../support/open-project.ts';

const CHAT = { uuid: 'c', chat_messages: [{ uuid: 'm', sender: 'human', text: 'q' }] };
const GOOD = zip({ 'conversations.json': JSON.stringify([CHAT]) });

/** The directory of an archive of one file, which is before its last 22 bytes. */
const DIRECTORY = GOOD.readUInt32LE(GOOD.length - 6);

/** Returns a good archive with some of its bytes written over. */
function changed(change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(GOOD);
  change(bytes);
  return bytes;
}

/** Returns an archive whose directory names the same file again and again. */
function overlapping(archive: Buffer, times: number): Buffer {
  const start = archive.readUInt32LE(archive.length - 6);
  const entry = archive.subarray(start, -22);
  const end = Buffer.from(archive.subarray(-22));
  end.writeUInt16LE(times, 8);
  end.writeUInt16LE(times, 10);
  end.writeUInt32LE(entry.length * times, 12);
  return Buffer.concat([archive.subarray(0, start), ...Array<Buffer>(times).fill(entry), end]);
}

/** Returns an archive that counts other files than its directory lists. */
function recounted(archive: Buffer, count: number): Buffer {
  const bytes = Buffer.from(archive);
  bytes.writeUInt16LE(count, bytes.length - 14);
  bytes.writeUInt16LE(count, bytes.length - 12);
  return bytes;
}

/** Returns an archive in the form ZIP64 whose directory says that it has this many files. */
function counting(files: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006', 0, 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(files), 24);
  record.writeBigUInt64LE(BigInt(files), 32);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 0, 'latin1');
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.write('PK\u0005\u0006\0\0\0\0', 0, 'latin1');
  end.writeUInt16LE(0, 20);
  return Buffer.concat([record, locator, end]);
}

/** Fields of the directory: flags at 8, the checksum at 16, the packed size at 20, the size at 24, the place at 42. */
const TABLE: readonly (readonly [what: string, archive: Buffer, message: RegExp])[] = [
  ['no archive', Buffer.from('PK'), /is no zip archive/],
  ['cut off', GOOD.subarray(0, GOOD.length / 2), /is no zip archive/],
  ['without its directory', GOOD.subarray(0, DIRECTORY), /is no zip archive/],
  [
    'encrypted',
    changed((bytes) => {
      bytes.writeUInt16LE(1, DIRECTORY + 8);
      bytes.writeUInt16LE(1, 6);
    }),
    /conversations\.json is encrypted: unpack it yourself/,
  ],
  [
    'with a place beyond its end',
    changed((bytes) => bytes.writeUInt32LE(0x7f_ff_ff_ff, DIRECTORY + 42)),
    /conversations\.json cannot be unpacked/,
  ],
  [
    'with a packed size beyond its end',
    changed((bytes) => bytes.writeUInt32LE(0x7f_ff_ff_ff, DIRECTORY + 20)),
    /conversations\.json/,
  ],
  [
    'with a size that is too small',
    changed((bytes) => bytes.writeUInt32LE(5, DIRECTORY + 24)),
    /conversations\.json/,
  ],
  [
    'with a size that is too large',
    changed((bytes) => bytes.writeUInt32LE(0xff_ff_ff_f0, DIRECTORY + 24)),
    /unpacks from \d+ to 4294967280 bytes/,
  ],
  [
    'with other bytes than its checksum is of',
    changed((bytes) => bytes.writeUInt32LE(1, DIRECTORY + 16)),
    /conversations\.json is damaged: its checksum is wrong/,
  ],
  ['of more files than are read', counting(250_001), /has 250001 files, more than 250000/],
  [
    'with an entry that is damaged after those that it counts',
    recounted(zip({ 'conversations.json': JSON.stringify([CHAT]), '../b.json': '[]' }), 1),
    /is damaged: invalid relative path/,
  ],
  ['of fewer files than it counts', recounted(GOOD, 2), /is damaged: /],
  [
    'with a method that is not known',
    changed((bytes) => {
      bytes.writeUInt16LE(99, DIRECTORY + 10);
      bytes.writeUInt16LE(99, 8);
    }),
    /conversations\.json cannot be unpacked|is damaged/,
  ],
  [
    'with a name that leads out',
    zip({ '../conversations.json': JSON.stringify([CHAT]) }),
    /is damaged: invalid relative path/,
  ],
  [
    'of entries that share their bytes',
    overlapping(zip({ 'conversations.json': `[${' '.repeat(6 << 20)}]` }), 100),
    /zip unpacks from \d+ to \d+ bytes, more than 200 times/,
  ],
];

describe('a zip archive', () => {
  it.each(TABLE)('%s is refused with a code', async (_, archive, message) => {
    const path = join(mkdtempSync(join(tmpdir(), 'zips-')), 'x.zip');
    writeFileSync(path, archive);
    const vizprompt = await openProject();
    await expect(vizprompt.importConversations(path)).rejects.toMatchObject({
      code: 'import-unreadable',
      message: expect.stringMatching(message),
    });
  });
});

it.each([0, 1, 2])('all files are read where it counts only %d', async (count) => {
  const chat = (uuid: string): string => JSON.stringify([{ ...CHAT, uuid }]);
  const archive = zip({ 'a.json': chat('a'), 'b.json': chat('b'), 'c.json': chat('c') });
  const path = join(mkdtempSync(join(tmpdir(), 'zips-')), 'x.zip');
  writeFileSync(path, recounted(archive, count));
  const vizprompt = await openProject();
  expect((await vizprompt.importConversations(path)).conversations.imported).toBe(3);
});

/** Returns an archive in which bytes of a file are others than before. */
function damaged(
  files: Readonly<Record<string, string>>,
  name: string,
  change: (data: Buffer, sum: Buffer) => void,
): string {
  const archive = zip(files);
  const local = archive.indexOf(name) - 30;
  const start = local + 30 + name.length;
  const packed = archive.subarray(start, start + archive.readUInt32LE(local + 18));
  const central = archive.indexOf(name, start + packed.length) - 46;
  change(packed, archive.subarray(central + 16, central + 20));
  const path = join(mkdtempSync(join(tmpdir(), 'zips-')), 'x.zip');
  writeFileSync(path, archive);
  return path;
}

const DAMAGES: readonly (readonly [how: string, change: (data: Buffer, sum: Buffer) => void])[] = [
  ['a checksum that is wrong', (_, sum) => sum.writeUInt32LE(1)],
  ['a checksum that is 0', (_, sum) => sum.writeUInt32LE(0)],
  ['bytes that cannot be unpacked', (data) => data.fill(0xff)],
];

describe.each(DAMAGES)('%s', (_, change) => {
  it('costs the conversations of its file, and not those of the others', async () => {
    const chat = (uuid: string): string => JSON.stringify([{ ...CHAT, uuid }]);
    const files = { 'a.json': chat('a'), 'b.json': chat('b'), 'c.json': chat('c') };
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(damaged(files, 'b.json', change));
    expect(report.conversations.imported).toBe(2);
    expect(report.skipped).toEqual([
      { entry: 'b.json', reason: expect.stringMatching(/^b\.json is damaged: /) },
    ]);
  });

  it('is reported for a file next to conversations, too', async () => {
    const files = { 'conversations.json': JSON.stringify([CHAT]), 'users.json': '[{"a":1}]' };
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(damaged(files, 'users.json', change));
    expect(report.conversations.imported).toBe(1);
    expect(report.skipped.map(({ entry }) => entry)).toEqual(['users.json']);
  });

  it('costs a picture, and not the message with it', async () => {
    const picture = { file_name: 'cat.png', file_uuid: 'x' };
    const message = { uuid: 'm', sender: 'human', text: 'q', files: [picture] };
    const files = {
      'conversations.json': JSON.stringify([{ ...CHAT, chat_messages: [message] }]),
      'cat.png': 'the bytes of a cat',
    };
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations(damaged(files, 'cat.png', change));
    expect(report.conversations.imported).toBe(1);
    expect(report.warnings).toEqual([
      {
        entry: 'conversations.json, entry 1',
        reason: expect.stringMatching(/^cat\.png is damaged: /),
      },
    ]);
  });
});

it.each(['export', 'export.dat', 'export.json'])('a zip may be called %s', async (name) => {
  const path = join(mkdtempSync(join(tmpdir(), 'vizprompt-zip-')), name);
  writeFileSync(path, GOOD);
  const vizprompt = await openProject();
  await vizprompt.importConversations(path);
  expect(await vizprompt.listFlows()).toHaveLength(1);
});

it.each([
  [
    'a.tar',
    Buffer.concat([Buffer.from('conversations.json'), Buffer.alloc(239), Buffer.from('ustar\0')]),
    'tar',
  ],
  ['a.tar.gz', gzipSync('x'), 'tar'],
  ['a.TGZ', gzipSync('x'), 'tar'],
  ['a.json', Buffer.from('377abcaf271c0004', 'hex'), '7z'],
  ['a', Buffer.from('526172211a0701', 'hex'), 'rar'],
  ['a.json.xz', Buffer.from('fd377a585a000004', 'hex'), 'xz'],
  ['a.json.bz2', Buffer.from('BZh91AY&SY'), 'bzip2'],
  ['a.jsonl.zst', Buffer.from('28b52ffd04', 'hex'), 'zstd'],
])('%s is refused as what it is packed as', async (name, bytes, kind) => {
  const path = join(mkdtempSync(join(tmpdir(), 'packed-')), name);
  writeFileSync(path, bytes);
  const vizprompt = await openProject();
  await expect(vizprompt.importConversations(path)).rejects.toMatchObject({
    code: 'import-unreadable',
    message: `${path} is packed as ${kind}, which is not read: unpack it yourself`,
  });
});

it.each(['7z.json', 'tar.json', 'my.tar.json'])('a name says nothing: %s', async (name) => {
  const path = join(mkdtempSync(join(tmpdir(), 'named-')), name);
  writeFileSync(path, JSON.stringify([CHAT]));
  const vizprompt = await openProject();
  expect((await vizprompt.importConversations(path)).conversations.imported).toBe(1);
});
