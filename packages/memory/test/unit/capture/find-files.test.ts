import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory, put } from '../../support/capture/open-memory.ts';
import { OpencodeLog } from '../../support/capture/opencode-log.ts';

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
