import { type JsonObject } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import { accountFor } from './account.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportFormat,
  type ReadyFlow,
} from './conversation.ts';
import { listAt, textAt } from './fields.ts';
import { findConversations } from './find-conversations.ts';
import type { SourceEntry } from './gather-records.ts';
import type { ImportOptions } from './import-options.ts';
import { type ImportSource, readSource } from './read-source.ts';
import {
  type ImportReport,
  reportOf,
  type SavedConversation,
  type SkippedEntry,
} from './report.ts';
import { keepAttachments } from './save-conversation.ts';
import { type SaveOutcome, SaveQueue } from './save-queue.ts';
import { FORMATS, readConversation, sourceOf } from './sources.ts';
import { takeFiles } from './take-files.ts';
import { TextLedger } from './text-ledger.ts';
import { judge } from './judge.ts';

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
  if (format !== undefined && !FORMATS.includes(format)) {
    const known = FORMATS.join(', ');
    throw new VizPromptError('invalid-input', `'${format}' is no format: there are ${known}`);
  }
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
              : await takeFiles(project, conversation, entry.find);
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
