import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import type { MemoryStore } from '../../../src/index.ts';
import { allEvents, newFolder, openMemory, put } from '../../support/capture/open-memory.ts';

const START = Date.UTC(2026, 5, 1, 9);

/** Returns a UUID of version 7 that was made at a time, in milliseconds since the start. */
function uuid(ms: number, end: string): string {
  const hex = (START + ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${end.padStart(12, '0')}`;
}

const iso = (ms: number): string => new Date(START + ms).toISOString();

interface Turn {
  readonly at: number;
  readonly ask: string;
  readonly say: string;
  readonly call?: string;
}

/** How a version names turns: by ids with a time, by others, or not at all. */
type Ids = 'none' | 'v4' | 'v7';

/** Lines of a turn, stamped with its time or, in a fork, with that of the copy. */
function turnLines(turn: Turn, ids: Ids, stamp = turn.at): JsonObject[] {
  const { at, ask, say, call } = turn;
  const line = (type: string, payload: JsonObject): JsonObject => ({
    timestamp: iso(stamp),
    type,
    payload,
  });
  const message = (role: string, type: string, text: string): JsonObject =>
    line('response_item', { type: 'message', role, content: [{ type, text }] });
  const v4 = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const id = { v7: { turn_id: uuid(at, 'a') }, v4: { turn_id: v4 }, none: {} }[ids];
  const began = ids === 'v4' ? { started_at: Math.floor((START + at) / 1000) } : {};
  return [
    ...(ids === 'none' ? [] : [line('event_msg', { type: 'task_started', ...id, ...began })]),
    line('turn_context', { cwd: '/w', model: 'gpt', ...id }),
    message('user', 'input_text', ask),
    line('event_msg', { type: 'user_message', message: ask }),
    ...(call === undefined
      ? []
      : [
          line('response_item', {
            type: 'function_call',
            name: 'exec_command',
            arguments: '{"cmd":"ls"}',
            call_id: call,
          }),
          line('response_item', { type: 'function_call_output', call_id: call, output: 'in.txt' }),
        ]),
    message('assistant', 'output_text', say),
    line('event_msg', { type: 'agent_message', message: say }),
  ];
}

function head(id: string, at: number, more: JsonObject = {}, stamp = at): JsonObject {
  const payload = { id, timestamp: iso(at), cwd: '/w', cli_version: '0.140.0', ...more };
  return { timestamp: iso(stamp), type: 'session_meta', payload };
}

const log = (lines: readonly JsonObject[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const PARENT = uuid(0, '1');
const FORK = uuid(60_000, '2');
const DEEP = uuid(120_000, '3');
const FIRST: Turn = { at: 1000, ask: '最初', say: '済み', call: 'c1' };
const SECOND: Turn = { at: 20_000, ask: '次', say: '済み' };
const LATER: Turn = { at: 90_000, ask: '親の続き', say: '親の答え' };
const FORKED: Turn = { at: 65_000, ask: '分かれて', say: '済み', call: 'c1' };
const DEEPER: Turn = { at: 130_000, ask: 'もっと分かれて', say: '三つ目の答え' };

function logs(ids: Ids): Readonly<Record<'deep' | 'fork' | 'parent', string>> {
  const parent = head(PARENT, 0);
  // The id of the session that a fork came from is in newer versions only.
  const from = (id: string): JsonObject => (ids === 'none' ? {} : { forked_from_id: id });
  const fork = head(FORK, 60_000, from(PARENT));
  const copies = (stamp: number): JsonObject[] => [
    head(PARENT, 0, {}, stamp),
    ...[FIRST, SECOND].flatMap((turn) => turnLines(turn, ids, stamp)),
  ];
  return {
    parent: log([parent, ...[FIRST, SECOND, LATER].flatMap((turn) => turnLines(turn, ids))]),
    // Turns of today have ids with a time.
    fork: log([fork, ...copies(60_010), ...turnLines(FORKED, ids === 'none' ? ids : 'v7')]),
    deep: log([
      head(DEEP, 120_000, from(FORK)),
      head(FORK, 60_000, from(PARENT), 120_010),
      ...copies(120_010),
      ...turnLines(FORKED, ids === 'none' ? ids : 'v7', 120_010),
      ...turnLines(DEEPER, ids === 'none' ? ids : 'v7'),
    ]),
  };
}

const TEXTS = {
  parent: ['最初', 'exec_command', '済み', '次', '済み'],
  later: ['親の続き', '親の答え'],
  fork: ['分かれて', 'exec_command', '済み'],
  deep: ['もっと分かれて', '三つ目の答え'],
};

async function textsOf(store: MemoryStore): Promise<ReadonlyMap<string, readonly string[]>> {
  return new Map(
    [...(await allEvents(store))]
      .map(([id, events]): [string, string[]] => [
        id,
        events.map(({ data }) =>
          'content' in data ? data.content : 'tool' in data ? data.tool : '',
        ),
      ])
      .filter(([, texts]) => texts.length > 0)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

async function imported(...texts: readonly string[]): Promise<MemoryStore> {
  const store = await openMemory();
  const folder = await newFolder();
  for (const [at, text] of texts.entries()) {
    const path = await put(folder, `rollout-${at}.jsonl`, text);
    await store.importTranscript(path, { closed: true });
  }
  return store;
}

describe.each<Ids>(['v7', 'v4', 'none'])('a fork of Codex before 0.148, turns: %s', (ids) => {
  const { parent, fork, deep } = logs(ids);
  const both = new Map([
    [PARENT, [...TEXTS.parent, ...TEXTS.later]],
    [FORK, TEXTS.fork],
  ]);

  it('has its own events, and its parent those that were said there, in any order', async () => {
    const store = await imported(parent, fork, fork);
    expect(await textsOf(store)).toEqual(both);
    expect((await store.getSession(FORK)).metadata).toMatchObject({ forked_from: PARENT });
    const other = await textsOf(await imported(fork, parent, fork, parent));
    for (const [id, texts] of both) expect(other.get(id)?.toSorted()).toEqual(texts.toSorted());
    expect([...other.keys()]).toEqual([...both.keys()]);
  });

  it('brings the lines of a parent whose log is gone', async () => {
    const store = await imported(fork);
    expect(await textsOf(store)).toEqual(
      new Map([
        [PARENT, TEXTS.parent],
        [FORK, TEXTS.fork],
      ]),
    );
    expect(await store.getSession(PARENT)).toMatchObject({
      workspace_path: '/w',
      metadata: { restored_from: FORK },
    });
  });

  it('of a fork has the lines of each session with that', async () => {
    // Without ids of turns, all copies count as those of the session whose head is the last one.
    if (ids === 'none') return;
    const all = new Map([
      [PARENT, TEXTS.parent],
      [FORK, TEXTS.fork],
      [DEEP, TEXTS.deep],
    ]);
    expect(await textsOf(await imported(deep))).toEqual(all);
    expect(await textsOf(await imported(fork, deep))).toEqual(all);
  });

  it('brings nothing back that was forgotten of its parent', async () => {
    const store = await imported(parent);
    await store.forget({ session: PARENT });
    const path = await put(await newFolder(), 'fork.jsonl', fork);
    await store.importTranscript(path, { closed: true });
    const texts = await textsOf(store);
    expect(texts.get(FORK)).toEqual(TEXTS.fork);
    expect([...(texts.get(PARENT) ?? [])].join('')).toBe('');
  });
});

it('leaves its parent all that is said there again later, whatever process reads it', async () => {
  const store = await imported(logs('v7').fork);
  const folder = await newFolder();
  const again: Turn = { at: 200_000, ask: '三度目', say: '済み' };
  const turns = [
    head(PARENT, 0),
    ...[FIRST, SECOND, again].flatMap((turn) => turnLines(turn, 'v7')),
  ];
  const options = { agent: 'codex', stateFolder: join(folder, 'state') } as const;
  for (let count = 1; count <= turns.length; count++) {
    const path = await put(folder, 'rollout.jsonl', log(turns.slice(0, count)));
    const input = { session_id: PARENT, transcript_path: path, cwd: '/w' };
    await handleHook(store, { ...input, hook_event_name: 'PostToolUse' }, options);
  }
  expect((await textsOf(store)).get(PARENT)).toEqual([...TEXTS.parent, '三度目', '済み']);
});

it('has the own turns of a subagent after the head of the session that started it', async () => {
  const child = uuid(60_000, '5');
  const task: Turn = { at: 60_050, ask: '数えて', say: '三つ' };
  const text = log([
    head(child, 60_000, { parent_thread_id: PARENT }),
    head(PARENT, 0, {}, 60_010),
    ...turnLines(task, 'v7', 60_050),
  ]);
  expect(await textsOf(await imported(text))).toEqual(new Map([[child, ['数えて', '三つ']]]));
});
