import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { noFormat } from '../input-kinds.ts';
import type { Project } from '../project/project.ts';
import { accountFor, TextLedger } from './account.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type ImportFormat,
  type MessagePart,
  type ReadyFlow,
} from './conversation.ts';
import { findConversations } from './find-conversations.ts';
import type { SourceEntry } from './gather-records.ts';
import { type ImportSource, readSource } from './read-source.ts';
import {
  type ImportOptions,
  type ImportReport,
  reportOf,
  type SavedConversation,
  type SkippedEntry,
} from './import-options.ts';
import {
  keepAttachments,
  namesOf,
  planConversation,
  type PlannedConversation,
  saveConversations,
} from './save-conversation.ts';
import { FORMATS, readConversation, sourceOf } from './sources.ts';
import { takeFiles } from './take-files.ts';

type Imported = ImportedConversation | ReadyFlow;

/**
 * Imports conversations, each as a flow, in the order of the source. Importing again adds nothing
 * but what is new.
 */
export async function importConversations(
  project: Project,
  source: ImportSource,
  { format, signal }: ImportOptions,
): Promise<ImportReport> {
  const { events } = project;
  if (format !== undefined && !FORMATS.includes(format)) throw noFormat(format, FORMATS);
  const saved: SavedConversation[] = [];
  const skipped: SkippedEntry[] = [];
  const warnings: SkippedEntry[] = [];
  let nodes = 0;
  const ledger = new TextLedger();
  const skip = (entry: string, reason: string): void => {
    const left = { entry, reason };
    skipped.push(left);
    events.emit('import:skipped', left);
    const { skippedEntries: most } = project.limits;
    if (skipped.length > most) throw tooManySkipped(skipped, most);
  };
  const progress = (): void => {
    events.emit('import:progress', { done: saved.length + skipped.length, nodes });
  };
  const leave = (entry: SourceEntry, reason: string): void => {
    ledger.leave(entry);
    if (isBeside(entry)) return;
    skip(entry.name, reason);
    progress();
  };
  const queue = new SaveQueue(project);
  const note = (outcomes: readonly SaveOutcome[]): void => {
    for (const { entry, saved: result, error } of outcomes) {
      if (error) leave(entry, error.message);
      if (!result) continue;
      saved.push(result);
      nodes += result.flow.nodes;
      progress();
    }
  };
  try {
    for await (const entry of readSource(source, { limits: project.limits, signal })) {
      signal?.throwIfAborted();
      try {
        const read = await readEntry(entry, format, ledger, skip);
        for (const reason of entry.warnings ?? []) warnings.push({ entry: entry.name, reason });
        for (const conversation of read) {
          const files =
            'flow' in conversation ? await keepAttachments(project, conversation, entry.open) : [];
          for (const reason of [...conversation.warnings, ...files]) {
            warnings.push({ entry: entry.name, reason });
          }
          // A large conversation takes its time until here.
          await new Promise(setImmediate);
          signal?.throwIfAborted();
          const whole =
            'flow' in conversation
              ? conversation
              : await takeFiles(project, conversation, entry.find, (reason) => {
                  warnings.push({ entry: entry.name, reason });
                });
          note(await queue.add(entry, whole));
        }
      } catch (error) {
        if (!(error instanceof BrokenEntry)) throw error;
        note(await queue.flush());
        leave(entry, error.message);
      }
    }
  } catch (error) {
    // Conversations that were read before an error stay, too; it is the first, and the one that is thrown.
    note(await queue.flush().catch(() => []));
    throw error;
  }
  note(await queue.flush());
  if (saved.length === 0) {
    throw new VizPromptError(
      'import-unreadable',
      `the source holds no conversation${firstOf(skipped)}`,
      { context: { skipped } },
    );
  }
  return reportOf(saved, skipped, warnings, ledger.files());
}

/** Checks whether an entry was next to conversations: it is not a broken one, and its texts are counted. */
function isBeside({ isSide, isRest }: SourceEntry): boolean {
  return isSide === true || isRest === true;
}

function tooManySkipped(skipped: readonly SkippedEntry[], most: number): VizPromptError {
  const message =
    `more than ${most} entries cannot be read${firstOf(skipped)}; what was imported stays: ` +
    'fix the source, or raise limits.skippedEntries';
  return new VizPromptError('import-unreadable', message);
}

function firstOf([first]: readonly SkippedEntry[]): string {
  return first ? ` (${first.entry}: ${first.reason})` : '';
}

/**
 * Reads the conversations of an entry, with all texts of it accounted for.
 *
 * @throws BrokenEntry if there is none.
 */
async function readEntry(
  entry: SourceEntry,
  format: ImportFormat | undefined,
  ledger: TextLedger,
  skip: (entry: string, reason: string) => void,
): Promise<readonly Imported[]> {
  const { value, error, name } = entry;
  if (error !== undefined) throw new BrokenEntry(error);
  if (!isJsonObject(value)) throw new BrokenEntry('it is no object');
  const { conversations: found, account, warnings = [] } = findConversations(value, format);
  const ready: ReadyFlow[] = [];
  const read: ImportedConversation[] = [];
  const broken: BrokenEntry[] = [];
  for (const each of found) {
    try {
      const conversation = await readConversation(sourceFor(each, format), each);
      if ('flow' in conversation) ready.push(conversation);
      else read.push(conversation);
    } catch (problem) {
      if (!(problem instanceof BrokenEntry)) throw problem;
      broken.push(problem);
    }
  }
  const [first] = broken;
  if (first && read.length + ready.length === 0) throw first;
  if (ready.length > 0) return ready;
  const { conversations, texts } = accountFor(account, read, found.length > 1 ? 'leave' : 'keep');
  const judged = conversations.map(judge);
  if (judged.every((each) => each.isEmpty)) throw new BrokenEntry('it holds no text');
  ledger.add(name, texts);
  for (const { message } of broken) skip(name, message);
  for (const each of judged) if (each.isEmpty) skip(name, 'it holds no text');
  const whole = judged.flatMap((each) => (each.isEmpty ? [] : [each.conversation]));
  return whole.map((each, at) =>
    at === 0 ? { ...each, warnings: [...warnings, ...each.warnings] } : each,
  );
}

/** @throws BrokenEntry if it looks like none that is known. */
function sourceFor(
  entry: JsonObject,
  format: ImportFormat | undefined,
): NonNullable<ReturnType<typeof sourceOf>> {
  const source = sourceOf(entry, format);
  if (source !== undefined) return source;
  if ('records' in entry) {
    const types = listAt(entry, 'records').map(
      (record) => isJsonObject(record) && textAt(record, 'type'),
    );
    const shown = [...new Set(types)].filter(Boolean).slice(0, 5).join(', ') || 'none';
    throw new BrokenEntry(`it is no session of a known format (the types of its lines: ${shown})`);
  }
  const keys = Object.keys(entry).slice(0, 5).join(', ') || 'none';
  throw new BrokenEntry(`it is no conversation of a known format (its keys: ${keys})`);
}

/** A conversation with a warning for what it holds little of. */
interface Judged {
  readonly conversation: ImportedConversation;
  /** There is nothing at all in it. */
  readonly isEmpty: boolean;
}

/**
 * Judges what was read of a conversation, so that none whose texts no reader has understood counts as plainly
 * imported.
 */
function judge(conversation: ImportedConversation): Judged {
  const { messages, warnings } = conversation;
  const parts = messages.flatMap((message) => message.parts);
  const isEmpty = parts.every((part) => part.type === 'text' && part.text.trim() === '');
  const isMute = !parts.some(isSpoken);
  const strange = messages.filter(isStrange).length;
  const found = [
    ...(isMute && !isEmpty ? ['no text in it is known: all that it holds is kept as data'] : []),
    ...(strange > 0 ? [`${strange} messages hold nothing that is known: it is kept as data`] : []),
  ];
  return { conversation: { ...conversation, warnings: [...warnings, ...found] }, isEmpty };
}

/** Checks whether a part is something that was said or done. */
function isSpoken(part: MessagePart): boolean {
  if (part.type === 'data') return part.kind === 'text';
  return part.type !== 'text' || part.text.trim() !== '';
}

/** Checks whether a speaker wrote a message of which nothing was understood. */
function isStrange({ role, parts }: ImportedMessage): boolean {
  if (role === 'system' || role === 'tool') return false;
  return parts.some(({ type }) => type === 'data') && !parts.some(isKnown);
}

function isKnown(part: MessagePart): boolean {
  return isSpoken(part) || (part.type === 'data' && part.kind !== 'rest');
}

/** The nodes of a batch, about, and the characters of their texts: it is written as soon as it has as many. */
const MOST_NODES = 256;
const MOST_CHARACTERS = 1_000_000;

/** The outcome for a conversation: it was saved, or is too large. */
interface SaveOutcome {
  readonly entry: SourceEntry;
  readonly saved?: SavedConversation;
  readonly error?: VizPromptError;
}

interface Queued {
  readonly entry: SourceEntry;
  readonly planned: PlannedConversation;
}

/**
 * Gathers conversations into batches: to write many small ones together takes half the time. A batch is written while
 * the next one is read. Conversations that have to do with each other are written one after the other, in their order.
 */
class SaveQueue {
  readonly #project: Project;
  #queued: Queued[] = [];
  /** The batch that is being written. */
  #writing: Promise<readonly SaveOutcome[]> = Promise.resolve([]);
  readonly #names = new Set<string>();
  #nodes = 0;
  #characters = 0;
  /** True if a batch could not be written: then no other is. */
  #isBroken = false;

  constructor(project: Project) {
    this.#project = project;
  }

  /**
   * Adds a conversation.
   *
   * @returns The outcomes of the conversations that have been written since the last call.
   * @throws BrokenEntry if there is nothing in it.
   */
  async add(
    entry: SourceEntry,
    conversation: ImportedConversation | ReadyFlow,
  ): Promise<readonly SaveOutcome[]> {
    const planned = planConversation(this.#project, conversation);
    const names = namesOf(planned);
    const isRelated = names.some((name) => this.#names.has(name));
    const before = isRelated ? await this.flush() : [];
    for (const name of names) this.#names.add(name);
    this.#queued.push({ entry, planned });
    for (const { prompt, response } of planned.plan.nodes) {
      this.#nodes++;
      this.#characters += prompt.length + response.length;
    }
    const isFull = this.#nodes >= MOST_NODES || this.#characters >= MOST_CHARACTERS;
    return isFull ? [...before, ...(await this.#next())] : before;
  }

  /** Writes what is queued, and waits for it. After a batch that could not be written it writes nothing. */
  async flush(): Promise<readonly SaveOutcome[]> {
    return [...(await this.#next()), ...(await this.#next())];
  }

  /** Waits for the batch that is being written, and begins with what is queued. */
  async #next(): Promise<readonly SaveOutcome[]> {
    const written = this.#writing;
    this.#writing = Promise.resolve([]);
    const outcomes = await written;
    if (this.#isBroken) return outcomes;
    const queued = this.#queued;
    this.#queued = [];
    this.#names.clear();
    [this.#nodes, this.#characters] = [0, 0];
    this.#writing = this.#write(queued);
    // The next call throws it.
    this.#writing.catch(() => {
      this.#isBroken = true;
    });
    return outcomes;
  }

  async #write(queued: readonly Queued[]): Promise<readonly SaveOutcome[]> {
    if (queued.length === 0) return [];
    const together = await this.#save(queued);
    if (together.length > 0) return together;
    const outcomes: SaveOutcome[] = [];
    for (const one of queued) {
      const alone = await this.#save([one]);
      outcomes.push(...alone);
    }
    return outcomes;
  }

  /** Returns nothing where one of several is too large. */
  async #save(queued: readonly Queued[]): Promise<readonly SaveOutcome[]> {
    try {
      const saved = await saveConversations(
        this.#project,
        queued.map(({ planned }) => planned),
      );
      return queued.flatMap(({ entry }, at) => {
        const one = saved[at];
        return one ? [{ entry, saved: one }] : [];
      });
    } catch (error) {
      const isTooLarge = VizPromptError.isInstance(error) && error.code === 'too-large';
      if (!isTooLarge) throw error;
      const [only, ...others] = queued;
      return only && others.length === 0 ? [{ entry: only.entry, error }] : [];
    }
  }
}
