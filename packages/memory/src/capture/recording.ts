import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { LruMap, omitUndefined, stringOf } from '@vizprompt/providers/internal';
import { TranscriptReader, type TranscriptAgent } from '@vizprompt/providers/transcripts';
import { textHash } from '@vizprompt/providers/transcripts/internal';
import { LINES } from '../model/kept-lines.ts';
import type { EventDraft, SessionDraft } from './draft.ts';
import { withoutMedia } from './media.ts';
import { count, type LineCounts, newReaderState, type ReaderState } from './reader-state.ts';

/** A draft as a reader gives it: session and kept lines are added. */
export type NewDraft = EventDraft extends infer Draft
  ? Draft extends EventDraft
    ? Omit<Draft, 'session'>
    : never
  : never;

/** Kept lines become an event of their own beyond this many characters. */
const MAX_KEPT = 1 << 20;

/** Names the fork, in the metadata of a session that is known only by the copies in it. */
export const RESTORED_FROM = 'restored_from';

/** The content of a file that was read, and the state after the lines before. */
export class Recording {
  /** Reads the lines; shares `state`. */
  readonly reader: TranscriptReader;
  readonly counts: LineCounts;
  readonly state: ReaderState;
  /** The texts of files as far as the lines show them, so that edits of fragments can be replayed. */
  readonly files: LruMap<string, string | undefined>;
  readonly #fallback: string;
  readonly #times = new Map<string, string>();
  #drafts: EventDraft[] = [];
  #textCharacters = 0;
  /** The folder next to the transcript, in which the agent stores outputs that are too long for it. */
  beside: string | undefined;

  /**
   * @param agent - Default: the one that the lines show.
   * @param fallback - Names the session where the lines do not, such as the name of the file.
   */
  constructor(
    agent: TranscriptAgent | undefined,
    counts: LineCounts,
    fallback: string,
    state: ReaderState = newReaderState(),
  ) {
    this.reader = new TranscriptReader({ agent, state, wellFormed: true });
    this.#fallback = fallback;
    this.counts = counts;
    this.state = state;
    this.files = new LruMap(1 << 24, (text = '') => text.length);
  }

  /** Switches to the session that the lines belong to by now. */
  session(sourceId: string): SessionDraft {
    return this.reader.session(sourceId);
  }

  /** Returns the latest time in a session: ISO 8601. */
  lastTime(session: SessionDraft): string | undefined {
    return this.#times.get(session.sourceId) ?? session.startedAt;
  }

  /** The name of the session in which the lines were said: where they are copies, that of the first. */
  get origin(): string {
    const { notes, session } = this.state;
    return stringOf(notes['origin']) ?? session?.sourceId ?? '';
  }

  /**
   * Returns how often a text was said before in the session of the lines, and counts it.
   *
   * @param what - The side that said it, and its hash.
   */
  timesSaid(what: string): number {
    const { said } = this.state;
    const name = `${this.origin} ${what}`;
    // All of them are saved with each hook. Older versions saved the whole name.
    const key = textHash(name).slice(0, 16);
    const times = said.get(key) ?? said.get(name) ?? 0;
    said.set(key, times + 1);
    return times;
  }

  /** Adds an event. Lines that were kept since the one before go along with it. */
  add(draft: NewDraft): void {
    const session = this.state.session ?? this.session(this.#fallback);
    if (draft.timestamp !== undefined) this.#note(session, draft.timestamp);
    const { kept } = this.state;
    this.state.kept = [];
    this.state.keptCharacters = 0;
    const meta: JsonObject = {
      agent: session.agent,
      ...draft.meta,
      ...(kept.length === 0 ? {} : { [LINES]: kept }),
    };
    const copiedFrom = draft.copiedFrom ?? stringOf(this.state.notes['origin']);
    this.#drafts.push({ ...draft, session, meta, ...omitUndefined({ copiedFrom }) });
    const { data } = draft;
    if ('new_content' in data) this.#textCharacters += data.new_content?.length ?? 0;
  }

  /** How many characters the texts have that edits have made since drafts were taken. */
  get textCharacters(): number {
    return this.#textCharacters;
  }

  #note(session: SessionDraft, time: string): void {
    session.startedAt ??= time;
    const last = this.#times.get(session.sourceId);
    if (last === undefined || time > last) this.#times.set(session.sourceId, time);
  }

  /** Keeps a line that is not an event, word for word. */
  keep(counts: Map<string, number>, type: string, value: JsonValue): void {
    count(counts, type);
    const { state } = this;
    const kept = withoutMedia(value);
    const text = JSON.stringify(kept);
    // Some logs repeat a line again and again.
    const name = `line ${textHash(text)}`;
    if (state.seen.has(name)) return;
    state.seen.set(name, true);
    state.kept.push(kept);
    state.keptCharacters += text.length;
    if (state.keptCharacters <= MAX_KEPT) return;
    state.keptEvents += 1;
    this.#addKept(String(state.keptEvents));
  }

  /** Adds an event that has nothing but the lines that were kept. */
  #addKept(name: string): void {
    const { sourceId } = this.state.session ?? this.session(this.#fallback);
    this.add({
      type: 'tool_use',
      key: `${sourceId}#lines:${name}`,
      data: { tool: 'transcript', parameters: { kept_lines: this.state.kept.length } },
      meta: {},
    });
  }

  /** Adds the lines that no event follows. */
  end(): void {
    if (this.state.kept.length === 0) return;
    // The files of subagents are of the same session, and each has its own.
    const isPart = this.state.notes['isPart'] === true;
    this.#addKept(isPart ? `end:${this.#fallback}` : 'end');
  }

  /** The drafts since the last call, each with the session that it was said in. */
  take(): EventDraft[] {
    const drafts = withOrigins(this.#drafts);
    this.#drafts = [];
    this.#textCharacters = 0;
    return drafts;
  }
}

/**
 * Gives events that a fork copied back to the session that they come from: only answers name it, and what was said
 * before an answer comes from there, too.
 */
function withOrigins(drafts: readonly EventDraft[]): EventDraft[] {
  if (drafts.every(({ copiedFrom }) => copiedFrom === undefined)) return [...drafts];
  const origins = new Map<string, SessionDraft>();
  let from: string | undefined;
  return drafts
    .toReversed()
    .map((draft) => {
      const { session, alias, copiedFrom } = draft;
      from = copiedFrom ?? from;
      if (from === undefined || from === session.sourceId) return draft;
      session.metadata['forked_from'] ??= from;
      const origin = origins.get(from) ?? originOf(session, from);
      origins.set(from, origin);
      if (draft.timestamp !== undefined) origin.startedAt = draft.timestamp;
      const own = alias?.replace(session.sourceId, () => origin.sourceId);
      return { ...draft, session: origin, ...(own === undefined ? {} : { alias: own }) };
    })
    .toReversed();
}

function originOf(
  { agent, sourceId: fork, workspacePath }: SessionDraft,
  sourceId: string,
): SessionDraft {
  return {
    agent,
    sourceId,
    // Other agents name what was said by an id that is the same in all copies.
    metadata: agent === 'codex' ? { [RESTORED_FROM]: fork } : {},
    ...(workspacePath === undefined ? {} : { workspacePath }),
  };
}
