import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory, put } from '../../support/capture/open-memory.ts';
import { OpencodeLog } from '../../support/capture/opencode-log.ts';

/** A rollout of two messages, and the same as `zstd` compresses it. */
const ROLLOUT = [
  '{"timestamp":"2026-05-01T10:00:00.000Z","type":"session_meta","payload":{"id":"0199aaaa-0000-7000-8000-000000000001","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/w/p"}}',
  '{"timestamp":"2026-05-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"古い質問"}]}}',
  '{"timestamp":"2026-05-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}}',
]
  .map((line) => `${line}\n`)
  .join('');
const PACKED = [
  'KLUv/QRofQYAAkwnHqDtzP9/zXddxb9X3FdJKuczRMoL1V2vHWK1PP4OwsD3PV9nvj2+Wbsyvvmp//t8LY5oaaYheJIi',
  '2raDzpxnKGsYphzbGXvGV+avVVfWQft0/92yPFOQP76w9wz4vsaIjdiioIuqJEIV7rIUtW1LVHu2pXtV3cU66JvdgvBF',
  '/fu3bce63EE3tdah2lowRRWOKiBGNdo2Zt38blG5vRIALPPGypRzmExaVMR3WmcPQdAMX5QIXnb8XBb8Cgu/QxkXDjBD',
  'WRsA2riwM3B5H1MXpQ==',
].join('');

it('files that agents store next to their transcripts are no transcripts that cannot be read', async () => {
  const home = await newFolder();
  const log = new ClaudeLog('home').user('ask').text('told');
  const project = `.claude/projects/-home-ann-shop`;
  const facts = JSON.stringify({ id: 'x', entries: [], status: 'completed' });
  await put(home, `${project}/${log.session}.jsonl`, log.toString());
  const chat = {
    sessionId: 'g',
    projectHash: 'h',
    messages: [{ id: '1', type: 'user', content: 'a' }],
  };
  await put(home, '.gemini/tmp/shop/chats/session-1.json', JSON.stringify(chat));
  const events = [
    { type: 'session.start', data: { sessionId: 'c', context: { cwd: '/w' } }, id: '1' },
    { type: 'user.message', data: { content: 'b' }, id: '2' },
  ];
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  await put(home, '.copilot/session-state/c/events.jsonl', lines);
  for (const name of [
    `${project}/sessions-index.json`,
    `${project}/bridge-pointer.json`,
    `${project}/${log.session}/workflows/wf_1.json`,
    `${project}/${log.session}/subagents/agent-1.meta.json`,
    `${project}/${log.session}/subagents/workflows/wf_1/journal.jsonl`,
    '.gemini/tmp/shop/logs.json',
    '.gemini/tmp/shop/checkpoint-tag.json',
    '.gemini/tmp/shop/checkpoints/a.json',
    '.copilot/session-state/c/vscode.metadata.json',
    '.copilot/session-state/c/files/data.json',
    '.copilot/session-state/c/rewind-snapshots/index.json',
  ]) {
    await put(home, name, facts);
  }
  const store = await openMemory();
  const report = await store.importTranscript(home, { closed: true });
  expect(report.skippedFiles).toEqual([]);
  expect(report).toMatchObject({ files: 3, added: 4 });
  // A file of the same name elsewhere is named.
  const path = await put(await newFolder(), 'logs.json', facts);
  expect((await store.importTranscript(path)).skippedFiles).toHaveLength(1);
});

it('a rollout that Codex has compressed is read once, or named where Node.js cannot', async () => {
  const folder = await newFolder();
  const name =
    'sessions/2026/05/01/rollout-2026-05-01T10-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl';
  const place = join(folder, `${name}.zst`);
  await put(folder, `${name}.zst`, '');
  await writeFile(place, Buffer.from(PACKED, 'base64'));
  const isKnown = 'zstdDecompress' in zlib;
  const store = await openMemory();
  const report = await store.importTranscript(folder, { closed: true });
  const old = {
    added: 0,
    skippedFiles: [{ file: place, reason: expect.stringContaining('22.15') as string }],
  };
  expect(report).toMatchObject(isKnown ? { added: 2, skippedFiles: [] } : old);
  // Half of it cannot be read, and hides nothing else.
  await writeFile(place, Buffer.from(PACKED, 'base64').subarray(0, 60));
  await put(folder, 'other.jsonl', new ClaudeLog('beside').user('ask').toString());
  const torn = await (await openMemory()).importTranscript(folder, { closed: true });
  expect(torn).toMatchObject({ files: 1, added: 1 });
  expect(torn.skippedFiles.map(({ file }) => file)).toEqual([place]);
  // Next to the file itself it is a copy.
  await put(folder, name, ROLLOUT);
  const both = await (await openMemory()).importTranscript(folder, { closed: true });
  expect(both).toMatchObject({ files: 2, added: 3, skippedFiles: [] });
});

it('a database of opencode is read whatever it is called', async () => {
  const path = join(await newFolder(), 'own.sqlite');
  const log = new OpencodeLog(path);
  log.ask(log.session('/home/ann/shop'), 'ask');
  log.close();
  const store = await openMemory();
  expect(await store.importTranscript(path, { closed: true })).toMatchObject({ added: 1 });
});

it.each<[string, string, (log: ClaudeLog) => string]>([
  [
    'an object over several lines, whatever its name is',
    'full.jsonl',
    () => {
      const messages = [
        { id: '1', type: 'user', content: 'ask' },
        { id: '2', type: 'gemini', content: 'told' },
      ];
      return JSON.stringify({ sessionId: 'g', projectHash: 'h', messages }, undefined, 2);
    },
  ],
  ['a list of lines', 'log.json', ({ lines }) => `[${lines.join(',\n')}]`],
  ['a list of lines, indented', 'log.jsonl', ({ lines }) => `[\n  ${lines.join(',\n  ')}\n]\n`],
])('a transcript is read as %s', async (_, name, textOf) => {
  const text = textOf(new ClaudeLog('list').user('ask').text('told'));
  const store = await openMemory();
  const path = await put(await newFolder(), name, text);
  expect(await store.importTranscript(path, { closed: true })).toMatchObject({
    events: { user_message: 1, assistant_message: 1 },
    unknown: {},
  });
});
