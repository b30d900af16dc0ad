import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import type { MemoryStore } from '../../../src/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory } from '../../support/capture/open-memory.ts';

const FORK = '22222222-2222-4222-8222-222222222222';

/** Returns what was said in a session, in its order. */
async function said(store: MemoryStore, session: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { data } of store.events(session)) {
    if ('content' in data) found.push(data.content);
  }
  return found;
}

/** The ways in which versions mark the lines that a fork copies, from none on. */
const MARKS: Readonly<Record<string, (line: JsonObject, from: string) => JsonObject>> = {
  'no mark': (line) => line,
  'the session of requests': (line, from) =>
    line['type'] === 'assistant' ? { ...line, requestSessionId: from } : line,
  'the fork': (line, from) => ({
    ...line,
    forkedFrom: { sessionId: from, messageUuid: line['uuid'] ?? null },
  }),
};
const ORDERS = [
  ['fork'],
  ['hooks'],
  ['hooks', 'folder'],
  ['hooks', 'fork', 'parent'],
  ['parent', 'hooks', 'folder'],
  ['folder', 'hooks', 'fork'],
];

it.each(
  Object.keys(MARKS).flatMap((mark) => ORDERS.map((order): [string, string[]] => [mark, order])),
)('what hooks recorded is not recorded again in a fork with %s, by %j', async (mark, order) => {
  const store = await openMemory();
  const folder = await newFolder();
  const options = { stateFolder: join(folder, 'state'), logFile: join(folder, 'hooks.log') };
  const parent = new ClaudeLog('parent', folder);
  const call = (session: string, event: string, more: JsonObject = {}): Promise<unknown> => {
    const place = { transcript_path: join(folder, `${session}.jsonl`), cwd: folder };
    const input = { hook_event_name: event, session_id: session, ...place, ...more };
    return handleHook(store, input, options);
  };
  const paths = { parent: `${parent.session}.jsonl`, fork: `${FORK}.jsonl` };
  const write = (session: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(folder, `${session}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  const turn = async (
    session: string,
    [prompt, answer]: readonly [string, string],
    log: ClaudeLog,
    linesOf: () => readonly string[],
  ): Promise<void> => {
    await call(session, 'UserPromptSubmit', { prompt });
    log.user(prompt).text(answer);
    await write(session, linesOf());
    await call(session, 'Stop');
  };
  for (const each of [
    ['ask', 'a'],
    ['again', 'b'],
    ['again', 'c'],
  ] as const) {
    await turn(parent.session, each, parent, () => parent.lines);
  }
  const own = new ClaudeLog('fork', folder).wait(60_000);
  const copies = parent.lines.map((line): JsonObject => {
    const copy: JsonObject = { ...(JSON.parse(line) as JsonObject), sessionId: FORK };
    return MARKS[mark]?.(copy, parent.session) ?? copy;
  });
  const linesOf = (): readonly string[] => [
    ...copies.map((line) => JSON.stringify(line)),
    ...own.lines.map((line) => line.replaceAll(own.session, FORK)),
  ];
  if (!order.includes('hooks')) own.user('again').text('d');
  await write(FORK, linesOf());
  for (const step of order) {
    if (step === 'hooks') await turn(FORK, ['again', 'd'], own, linesOf);
    else if (step === 'folder') await store.importTranscript(folder);
    else if (step === 'fork' || step === 'parent') {
      await store.importTranscript(join(folder, paths[step]));
    }
  }
  expect(await said(store, parent.session)).toEqual(['ask', 'a', 'again', 'b', 'again', 'c']);
  expect((await said(store, FORK)).slice(0, 2)).toEqual(['again', 'd']);
  expect(await said(store, FORK)).toHaveLength(2);
  expect((await store.getSession(FORK)).metadata['forked_from']).toBe(parent.session);
});
