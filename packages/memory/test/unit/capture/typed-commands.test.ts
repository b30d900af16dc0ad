import { expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

it.each<[string, string, string | undefined]>([
  [
    'a prompt',
    '<command-message>review</command-message>\n<command-name>/review</command-name>',
    '/review',
  ],
  [
    'a prompt with words',
    '<command-message>pr is running…</command-message>\n<command-name>/pr</command-name>\n<command-args>今すぐ</command-args>',
    '/pr 今すぐ',
  ],
  [
    'one of the program',
    '<command-name>/clear</command-name>\n  <command-message>clear</command-message>\n  <command-args></command-args>',
    undefined,
  ],
  [
    'a skill that the model starts',
    '<command-message>The "pdf" skill is loading</command-message>\n<command-name>pdf</command-name>',
    undefined,
  ],
  [
    'a skill with arguments',
    '<command-message>The "pdf" skill is running</command-message>\n<command-name>pdf</command-name>\n<command-args>a.pdf</command-args>',
    undefined,
  ],
])('a log of Claude Code has commands as they were typed: %s', async (_, text, typed) => {
  for (const content of [text, [{ type: 'text', text }]]) {
    const log = new ClaudeLog('command').user(content).text('done');
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'session.jsonl', log.toString()));
    const events = await onlyEvents(store);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ...(typed === undefined ? [] : [['user_message', { content: typed }]]),
      ['assistant_message', { content: 'done' }],
    ]);
  }
});
