import type { JsonValue } from '@vizprompt/providers';
import { ERASED, LruMap, stringOf } from '@vizprompt/providers/internal';
import type { SessionInfo } from '../../model/session.ts';
import type { EventDraft, SessionDraft } from '../draft.ts';
import { idOf, sessionIdOf } from '../keys.ts';
import type { LineCounts } from '../reader-state.ts';
import { RESTORED_FROM } from '../recording.ts';
import type { LinePlace, TranscriptStore } from './import-options.ts';

/** Fields of a draft that show whether it is new. */
type DraftHead = Pick<EventDraft, 'key' | 'alias' | 'parent' | 'intention' | 'unlessWhole'>;

/** The result of reading a file to its end. */
export interface FileEnd {
  /** Reason that the file contains no transcript, if so. */
  readonly skipped?: string;
  /** Its sessions, each with its last time if the file does not grow any more. */
  readonly sessions: readonly { readonly draft: SessionDraft; readonly endedAt?: string }[];
  readonly counts: LineCounts;
  readonly torn: readonly LinePlace[];
  readonly broken: readonly LinePlace[];
  readonly openCalls: number;
}

/** A draft that becomes an event, and the ids that it has and names. */
export interface ChosenDraft {
  /** Its place in its run. */
  readonly index: number;
  readonly id: string;
  readonly parent?: string | undefined;
  readonly intention?: string | undefined;
}

const MAX_MOVED = 10_000;
const MAX_IDS = 10_000;

/** Events that are about to be written. */
export interface ComingEvents {
  has(id: string): boolean;
  /** Writes them. */
  write(): Promise<void>;
}

/** Selects the drafts that a store does not have yet, with their ids; starts and ends their sessions. */
export class ImportDeduplicator {
  readonly #store: TranscriptStore;
  readonly #workspace: (session: SessionDraft) => string;
  /** Sessions as they are in the store, by the agent's name. */
  readonly #sessions = new Map<string, SessionInfo>();
  /** Ids of events that the store has under another key, by key. */
  readonly #moved = new LruMap<string, string>(MAX_MOVED);
  /** Ids of events by agent and key: an event is asked for, written, and named by those that it led to. */
  readonly #ids = new LruMap<string, string>(MAX_IDS);

  constructor(store: TranscriptStore, workspace: (session: SessionDraft) => string) {
    this.#store = store;
    this.#workspace = workspace;
  }

  /** Returns the new drafts of a session. */
  async choose(
    session: SessionDraft,
    heads: readonly DraftHead[],
    coming?: ComingEvents,
  ): Promise<readonly ChosenDraft[]> {
    if (this.#hasOwn(session)) return [];
    const { agent } = session;
    const ids = heads.map((head) => this.#idsOf(agent, head));
    const isComing = (id: string | undefined): boolean =>
      id !== undefined && coming?.has(id) === true;
    // The content of such an event is read from the store.
    if (ids.some(([id, other]) => !isComing(id) && isComing(other))) await coming?.write();
    // Found out before the store is asked: it may be written in the meantime.
    const left = new Set(ids.flat().filter(isComing));
    // Asked before anything is made of them: importing again is the common case.
    const known = await this.#store.knownEvents(ids.flat());
    const copied = await this.#copiedPrompts(session, heads, ids, known);
    const chosen: ChosenDraft[] = [];
    for (const [index, head] of heads.entries()) {
      const [id, other] = ids[index] ?? [];
      if (id === undefined || known.has(id) || left.has(id) || copied.has(index)) continue;
      if (other !== undefined && known.has(other) && (await this.#isNoted(head, other))) continue;
      chosen.push(this.#chosen(agent, head, index));
    }
    return chosen;
  }

  /**
   * Returns the places of prompts that a fork has copied, where a hook recorded them in the session that the fork came from:
   * only by the answers after them, which keep their ids, does the fork show which session that is.
   */
  async #copiedPrompts(
    session: SessionDraft,
    heads: readonly DraftHead[],
    ids: readonly (readonly string[])[],
    known: ReadonlySet<string>,
  ): Promise<ReadonlySet<number>> {
    const { agent, sourceId } = session;
    const copied = new Set<number>();
    let next: string | undefined;
    // From the end: each prompt comes before the answers that show where it was said.
    for (let at = heads.length - 1; at >= 0; at--) {
      const [id = '', other = ''] = ids[at] ?? [];
      if (known.has(id)) next = id;
      const { alias, unlessWhole } = heads[at] ?? {};
      if (next === undefined || alias === undefined || unlessWhole !== undefined) continue;
      if (known.has(id) || known.has(other)) continue;
      const owner = await this.#sourceOf(next);
      if (owner === undefined || owner === sourceId) continue;
      session.metadata['forked_from'] ??= owner;
      const copy = this.#idOf(
        agent,
        alias.replace(sourceId, () => owner),
      );
      if ((await this.#store.knownEvents([copy])).size > 0) copied.add(at);
    }
    return copied;
  }

  /** Returns the agent's name for the session of an event in the store. */
  async #sourceOf(event: string): Promise<string | undefined> {
    const { session_id: session } = await this.#store.getEvent(event);
    return stringOf((await this.#store.getSession(session)).metadata['source_id']);
  }

  /** Returns the session of a draft in the store, started if it is new. */
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
    return session;
  }

  /** The same for a session that continues: one that has ended runs again. */
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
      const stored = now.metadata[name] ?? null;
      return stored !== ERASED && JSON.stringify(stored) !== JSON.stringify(value);
    });
    const isEnding = endedAt !== undefined && (now.ended_at === null || now.ended_at < endedAt);
    if (changes.length === 0 && !isEnding) return;
    await this.#store.updateSession(started.id, {
      ...(changes.length === 0 ? {} : { metadata: Object.fromEntries(changes) }),
      ...(isEnding ? { endedAt } : {}),
    });
  }

  /** Checks whether the store has a session by its own transcript, of which a fork has copies. */
  #hasOwn({ metadata, sourceId }: SessionDraft): boolean {
    if (metadata[RESTORED_FROM] === undefined) return false;
    return this.#sessions.get(sourceId)?.metadata[RESTORED_FROM] === undefined;
  }

  /** Checks whether a hook has noted it, under the key that it could know, or better. */
  async #isNoted({ alias, key, unlessWhole }: DraftHead, other: string): Promise<boolean> {
    if (unlessWhole !== undefined) return this.#isWhole(other);
    if (alias !== undefined) this.#moved.set(key, other);
    return true;
  }

  async #isWhole(id: string): Promise<boolean> {
    const { data } = await this.#store.getEvent(id);
    return 'new_content' in data && data.new_content !== undefined;
  }

  #chosen(agent: string, { key, parent, intention }: DraftHead, index: number): ChosenDraft {
    const idOfKey = (other: string): string => this.#moved.get(other) ?? this.#idOf(agent, other);
    return {
      index,
      id: idOfKey(key),
      ...(parent === undefined ? {} : { parent: idOfKey(parent) }),
      ...(intention === undefined ? {} : { intention: idOfKey(intention) }),
    };
  }

  /** Returns the id of a draft, and that of the event which may replace it. */
  #idsOf(agent: string, { alias, key, unlessWhole }: DraftHead): readonly string[] {
    const id = this.#idOf(agent, key);
    const other = unlessWhole ?? alias;
    return other === undefined ? [id] : [id, this.#idOf(agent, other)];
  }

  #idOf(agent: string, key: string): string {
    const name = `${agent} ${key}`;
    return this.#ids.getOrCreate(name, () => idOf(agent, 'event', key));
  }
}

/** Metadata by name; `null` for what is not there. */
function metadataOf({ agent, metadata, sourceId }: SessionDraft): [string, JsonValue][] {
  return Object.entries({ agent, source_id: sourceId, ...metadata });
}
