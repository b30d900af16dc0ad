import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { allEvents, newFolder, openMemory } from '../../support/capture/open-memory.ts';
import { otherLogs } from '../../support/capture/other-logs.ts';

const claudeLog = new ClaudeLog('utf-16').user('灯台は？\u010a').text('𠮷😀').toString();
const exported = {
  info: { id: 'ses_1', directory: '/w', title: '題', time: { created: 1, updated: 2 } },
  messages: [
    {
      info: { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } },
      parts: [{ id: 'prt_1', type: 'text', text: '聞く' }],
    },
  ],
};

/** The bytes that `>` of Windows PowerShell writes. */
function redirected(text: string, isBig = false): Buffer {
  const bytes = Buffer.from(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

const LOGS: readonly (readonly [string, string])[] = [
  ['claude-code.jsonl', claudeLog],
  ...otherLogs.map(([agent, text]) => [`${agent}.jsonl`, text] as const),
  ['opencode.json', JSON.stringify(exported, null, 2)],
];

async function imported(name: string, bytes: Uint8Array | string): Promise<unknown> {
  const store = await openMemory();
  const path = join(await newFolder(), name);
  await writeFile(path, bytes);
  const report = await store.importTranscript(path, { closed: true });
  expect(report).toMatchObject({ torn: [], broken: [], skippedFiles: [] });
  expect(report.bytes).toBe(Buffer.byteLength(bytes));
  expect((await store.importTranscript(path, { closed: true })).added).toBe(0);
  return [...(await allEvents(store))];
}

describe.each(LOGS)('%s in UTF-16', (name, text) => {
  it('becomes the same events as in UTF-8', async () => {
    const events = await imported(name, text);
    expect(JSON.stringify(events)).toMatch(/user_message/);
    expect(await imported(name, redirected(text))).toEqual(events);
    expect(await imported(name, redirected(text, true))).toEqual(events);
  });
});

it('reads an export of a memory in UTF-16', async () => {
  const store = await openMemory();
  const { id } = await store.startSession({ workspace: '/w' });
  await store.log(id, 'user_message', { content: '灯台' });
  let text = '';
  for await (const piece of store.exportJson()) text += piece;
  const other = await openMemory();
  expect(await other.importJson([redirected(text)])).toMatchObject({ events: 1 });
  expect(await allEvents(other)).toEqual(await allEvents(store));
});
