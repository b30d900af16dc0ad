import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { detectAgent } from '@vizprompt/providers/transcripts';
import type { ImportLimits } from '../limits.ts';
import { isExchange, withAnswersBeside } from './alternatives.ts';
import { endsStream, isEvent } from './event-streams.ts';
import { firstOf, spelled } from './fields.ts';
import type { FileFinder } from './find-files.ts';
import { isMessage } from './list-messages.ts';
import { withRoles } from './plain-rows.ts';
import { beginsSession, isConversation } from './sources.ts';
import { holdsSpans } from './spans.ts';
import { NAMES } from './spellings.ts';
import { isStep } from './steps.ts';
import { isJournalLine, replayJournal } from './vscode-journal.ts';

/**
 * Checks whether an entry is a piece of a conversation and no conversation: a message, a line of a session, or
 * spans.
 */
function isRecord(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (isJournalLine(value) || holdsSpans(value) || isStep(value) || isEvent(value)) return true;
  if (isConversation(value) || isExchange(value)) return false;
  const isLine = typeof value['type'] === 'string' || detectAgent(value) !== undefined;
  return isLine || isMessage(value) || isHead(value);
}

/** Checks whether a line is that before the messages of SillyTavern or llama.cpp, or a message of a table of a messenger. */
function isHead(value: JsonObject): boolean {
  return (
    'chat_metadata' in value ||
    'currNode' in value ||
    ('saidBy' in value && 'saidAt' in value) ||
    ('user_name' in value && 'character_name' in value)
  );
}

/** An entry of a source, parsed or with the reason why not. */
export interface SourceEntry {
  /** The place of the entry, for reports: `conversations.json, entry 3`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
  /** The length of its text, where it was read from one. */
  readonly characters?: number;
  /** Problems in the source of the entry. */
  readonly warnings?: readonly string[];
  /** `true`: the rest of a document, without its conversations. */
  readonly isRest?: boolean;
  /** `true`: from a file next to those of the conversations; only conversations in it are imported. */
  readonly isSide?: boolean;
  /** Finds the files that it names, in the folder or the archive. */
  readonly find?: FileFinder | undefined;
  /** Reads a file next to the entry, by the path that a node uses for it. */
  readonly open?: (path: string) => Promise<Uint8Array | undefined>;
}

/** Warnings of one session that are listed. */
const MAX_WARNINGS = 1000;

/**
 * Makes one entry, `{ records: [...] }`, of the messages or lines of sessions among the entries of a
 * file. A line of a session that is not JSON, such as one that was being written, is a warning.
 *
 * @param name - The name of the file.
 */
export async function* gatherRecords(
  name: string,
  entries: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
  { entryCharacters: max }: ImportLimits,
): AsyncGenerator<SourceEntry> {
  let records: JsonObject[] = [];
  let warnings: string[] = [];
  let characters = 0;
  /** The first entry, which may say what the messages after it are called. */
  let first: SourceEntry | undefined;
  let isFirst = true;
  const take = (about: JsonObject = {}): SourceEntry => {
    const isTooLarge = characters > max;
    const error = `its records have more than ${max} characters: split it, or raise limits.entryCharacters`;
    const taken = isTooLarge
      ? { name, error }
      : { name, value: replayJournal(records) ?? { ...about, records }, warnings };
    [records, warnings, characters] = [[], [], 0];
    return taken;
  };
  const warn = (warning: string): void => {
    if (warnings.length < MAX_WARNINGS) warnings.push(warning);
  };
  for await (const entry of entries) {
    const { value, error } = entry;
    const isMaybeHead = isFirst && error === undefined && !entry.isRest && mayBeHead(value);
    isFirst = false;
    if (isMaybeHead) {
      first = entry;
      continue;
    }
    if (first && isRecord(value) && isJsonObject(first.value)) records.push(first.value);
    else if (first) yield first;
    first = undefined;
    if (entry.isRest && records.length > 0 && isJsonObject(value)) {
      // The fields next to messages are about their conversation.
      const { conversations: _, ...about } = value;
      yield take(about);
    } else if (error !== undefined && records.length > 0) {
      warn(`${entry.name}: ${error}`);
    } else if (Array.isArray(value)) {
      yield { ...entry, value: { records: value } };
    } else if (isRecord(value) || endsStream(value, records.at(-1))) {
      if (beginsSession(value) && (records.length > 0 || characters > 0)) yield take();
      characters += entry.characters ?? 0;
      if (characters > max) records = [];
      else records.push(value);
      for (const warning of entry.warnings ?? []) warn(warning);
    } else {
      yield entry;
    }
  }
  if (first) yield first;
  if (records.length > 0 || characters > 0) yield take();
}

/** The fields of texts: an object with one says something itself. */
const TEXTS = [...NAMES.content, ...NAMES.prompt, ...NAMES.answer];

/** Checks whether an object holds nothing that is read, so that it may describe the messages after it. */
function mayBeHead(value: unknown): boolean {
  if (!isJsonObject(value) || isRecord(value)) return false;
  const isFlat = Object.values(value).every((each) => !Array.isArray(each) || each.length === 0);
  const isRead = isConversation(value) || withAnswersBeside(value) || withRoles(value);
  const fields = spelled(value);
  return isFlat && !isRead && firstOf(fields, TEXTS) === undefined;
}
