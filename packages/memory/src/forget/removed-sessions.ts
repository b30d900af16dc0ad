import { readFile, rm } from 'node:fs/promises';
import { Eraser, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
import { parseShallowJson } from '@vizprompt/providers/transcripts/internal';
import { sessionIdOf } from '../capture/keys.ts';
import { readEventRows, SELECT_EVENTS, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { textsOfEvent } from './forget.ts';
import { cleanLog, hookLogs, hookStates } from './hook-files.ts';

/** This many characters are searched for in the logs at once. */
const MAX_LEARNED = 1 << 23;
const PAGE = 100;

/**
 * Removes sessions from the files of hooks. All memories of a user share these, so only a session's own state is deleted;
 * each state is read once, and a log once for many sessions.
 */
export class RemovedSessions {
  readonly #context: MemoryContext;
  readonly #logs: readonly string[];
  #states: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #eraser = new Eraser('');
  #learned = 0;

  constructor(context: MemoryContext) {
    this.#context = context;
    this.#logs = hookLogs(context.file);
  }

  /** Deletes how far the transcript of a session was read. */
  async dropStates(id: string): Promise<void> {
    this.#states ??= statesBySession(await hookStates(this.#context.file));
    for (const path of (await this.#states).get(id) ?? []) await rm(path, { force: true });
  }

  /** Removes the lines of logs that hold what was said in sessions, which are still there. */
  async cleanLogs(ids: readonly string[]): Promise<void> {
    if (this.#logs.length === 0) return;
    for (const id of ids) for await (const rows of this.#pages(id)) await this.#learn(rows);
    await this.#clean();
  }

  async *#pages(id: string): AsyncGenerator<readonly EventRow[], void, undefined> {
    const { database, tenant } = this.#context;
    for (let last = 0; ;) {
      const rows = await database.query<EventRow>(
        `${SELECT_EVENTS} WHERE s.tenant = ? AND s.id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?`,
        [tenant, id, last, PAGE],
      );
      if (rows.length > 0) yield rows;
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length < PAGE) return;
    }
  }

  async #learn(rows: readonly EventRow[]): Promise<void> {
    const { database, tenant } = this.#context;
    const { events } = await readEventRows(database, tenant, rows);
    for (const text of events.flatMap((event) => (event ? textsOfEvent(event) : []))) {
      this.#eraser.learn(text);
      this.#learned += text.length;
    }
    if (this.#learned > MAX_LEARNED) await this.#clean();
  }

  async #clean(): Promise<void> {
    if (this.#learned > 0) for (const path of this.#logs) await cleanLog(path, this.#eraser);
    this.#eraser = new Eraser('');
    this.#learned = 0;
  }
}

/** Returns the states of each session of an agent; those of none are not known to belong to a session. */
async function statesBySession(
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const states = new Map<string, string[]>();
  for (const path of paths) {
    const saved = objectOf(parseShallowJson(await readFile(path, 'utf8').catch(() => '')));
    const session = objectAt(objectAt(saved, 'reader'), 'session');
    const [agent, sourceId] = [textAt(session, 'agent'), textAt(session, 'sourceId')];
    if (agent === undefined || sourceId === undefined) continue;
    const id = sessionIdOf(agent, sourceId);
    states.set(id, [...(states.get(id) ?? []), path]);
  }
  return states;
}
