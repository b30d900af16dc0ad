import type { JsonValue } from '@vizprompt/providers';
import { MemoryError } from '../../errors.ts';
import type { SessionLog } from '../../store/session-log.ts';
import type { MemoryEvent, NewEvent } from '../../model/memory-event.ts';
import type { SessionInfo } from '../../model/session.ts';
import type { EventDraft, SessionDraft } from '../draft.ts';
import { idOf, sessionIdOf } from '../keys.ts';
import { remember } from '../reader-state.ts';
import type { ReportBuilder } from './report-builder.ts';

const MAX_MOVED = 10_000;
const MAX_IDS = 10_000;

/** Writes drafts into a store: each of them once, whoever brings it. */
export class DraftWriter {
  readonly #store: SessionLog;
  readonly #report: ReportBuilder;
  readonly #workspace: (session: SessionDraft) => string;
  /** Sessions as they are in the store, by the agent's name. */
  readonly #sessions = new Map<string, SessionInfo>();
  /** Ids of events that stand in the store under another key, by key. */
  readonly #moved = new Map<string, string>();
  /** Ids of events by agent and key: an event is asked for, written, and named by those that it led to. */
  readonly #ids = new Map<string, string>();

  constructor(
    store: SessionLog,
    report: ReportBuilder,
    workspace: (session: SessionDraft) => string,
  ) {
    this.#store = store;
    this.#report = report;
    this.#workspace = workspace;
  }

  /** Writes drafts in their order. */
  async write(
    drafts: readonly EventDraft[],
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemoryEvent[]> {
    const logged: MemoryEvent[] = [];
    for (let from = 0; from < drafts.length;) {
      const session = drafts[from]?.session;
      if (!session) break;
      let to = from + 1;
      while (drafts[to]?.session === session) to += 1;
      logged.push(...(await this.#writeRun(session, drafts.slice(from, to), file, signal)));
      from = to;
    }
    return logged;
  }

  /** The session of a draft in the store, started if it is new. */
  async start(draft: SessionDraft): Promise<SessionInfo> {
    const known = this.#sessions.get(draft.sourceId);
    if (known) return known;
    const session = await this.#store.startSession({
      id: sessionIdOf(draft.agent, draft.sourceId),
      workspace: this.#workspace(draft),
      metadata: Object.fromEntries(metadataOf(draft).filter(([, value]) => value !== null)),
      ifExists: 'keep',
      ...(draft.startedAt === undefined ? {} : { startedAt: draft.startedAt }),
    });
    this.#sessions.set(draft.sourceId, session);
    this.#report.sessions.add(session.id);
    return session;
  }

  /** The same for a session that goes on: one that has ended runs again. */
  async reopen(draft: SessionDraft): Promise<void> {
    const { id, ended_at: endedAt } = await this.start(draft);
    if (endedAt === null) return;
    this.#sessions.set(draft.sourceId, await this.#store.updateSession(id, { endedAt: null }));
  }

  /**
   * Brings what a transcript says of its session into the store, where it differs.
   *
   * @param endedAt - When the session ended, if it has.
   */
  async finish(draft: SessionDraft, endedAt: string | undefined): Promise<void> {
    const started = this.#sessions.get(draft.sourceId);
    if (!started) return;
    this.#sessions.delete(draft.sourceId);
    const now = await this.#store.getSession(started.id);
    const changes = metadataOf(draft).filter(([name, value]) => {
      return JSON.stringify(now.metadata[name] ?? null) !== JSON.stringify(value);
    });
    const isEnding = endedAt !== undefined && (now.ended_at === null || now.ended_at < endedAt);
    if (changes.length === 0 && !isEnding) return;
    await this.#store.updateSession(started.id, {
      ...(changes.length === 0 ? {} : { metadata: Object.fromEntries(changes) }),
      ...(isEnding ? { endedAt } : {}),
    });
  }

  async #writeRun(
    draft: SessionDraft,
    drafts: readonly EventDraft[],
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemoryEvent[]> {
    const session = await this.start(draft);
    const events: NewEvent[] = [];
    // Asked before anything is made of them: importing again is the common case.
    const known = await this.#store.knownEvents(drafts.flatMap((each) => this.#idsOf(each)));
    for (const each of drafts) {
      if (known.has(this.#idsOf(each)[0])) continue;
      if (!(await this.#isNoted(each, known))) events.push(this.#toEvent(each));
    }
    const before = this.#report.refused.length;
    const logged = await this.#log(session, events, file, signal);
    for (const { type } of logged) if (type !== 'forgotten') this.#report.add(type);
    const refused = this.#report.refused.length - before;
    this.#report.skipped += drafts.length - logged.length - refused;
    return logged;
  }

  /** Whether a hook has noted it, under the key that it could know, or better. */
  async #isNoted(draft: EventDraft, known: ReadonlySet<string>): Promise<boolean> {
    const { alias, key, unlessWhole } = draft;
    const [, other] = this.#idsOf(draft);
    if (other === undefined || !known.has(other)) return false;
    if (unlessWhole !== undefined) {
      const { data } = await this.#store.getEvent(other);
      return 'new_content' in data && data.new_content !== undefined;
    }
    if (alias !== undefined) remember(this.#moved, key, other, MAX_MOVED);
    return true;
  }

  #toEvent(draft: EventDraft): NewEvent {
    const { key, parent, timestamp, meta, session, intention } = draft;
    const idOfKey = (other: string): string =>
      this.#moved.get(other) ?? this.#idOf(session.agent, other);
    const event = {
      id: idOfKey(key),
      type: draft.type,
      data:
        intention === undefined
          ? draft.data
          : { ...draft.data, intention_event_id: idOfKey(intention) },
      meta,
      ...(parent === undefined ? {} : { parent: idOfKey(parent) }),
      ...(timestamp === undefined ? {} : { timestamp }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one draft
    return event as NewEvent;
  }

  /** The id of a draft, and that of the event which may stand for it. */
  #idsOf({ alias, key, unlessWhole, session }: EventDraft): readonly [string, ...string[]] {
    const id = this.#idOf(session.agent, key);
    const other = unlessWhole ?? alias;
    return other === undefined ? [id] : [id, this.#idOf(session.agent, other)];
  }

  #idOf(agent: string, key: string): string {
    const name = `${agent} ${key}`;
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = idOf(agent, 'event', key);
    if (this.#ids.size >= MAX_IDS) this.#ids.clear();
    this.#ids.set(name, id);
    return id;
  }

  async #log(
    session: SessionInfo,
    events: readonly NewEvent[],
    file: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly MemoryEvent[]> {
    const options = {
      duplicates: 'skip',
      intoEnded: true,
      ...(signal ? { signal } : {}),
    } as const;
    try {
      return await this.#store.logMany(session.id, events, options);
    } catch (error) {
      if (!MemoryError.isInstance(error)) throw error;
      if (!REFUSALS.has(error.code)) throw error;
      const [event, another] = events;
      if (event && !another) {
        const { code, message } = error;
        this.#report.refused.push({ file, type: event.type, code, message });
        return [];
      }
      // One of them is refused: the others go in all the same, in their order.
      const middle = Math.ceil(events.length / 2);
      const first = await this.#log(session, events.slice(0, middle), file, signal);
      const second = await this.#log(session, events.slice(middle), file, signal);
      return [...first, ...second];
    }
  }
}

/** Why the store may refuse an event for what is in it. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid-input',
  'invalid-text',
  'path-outside',
  'too-large',
]);

/** Metadata by name; `null` for what is not there. */
function metadataOf({ agent, metadata, sourceId }: SessionDraft): [string, JsonValue][] {
  return Object.entries({ agent, source_id: sourceId, ...metadata });
}
