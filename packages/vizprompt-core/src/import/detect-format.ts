import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { ImportLimits } from '../limits.ts';
import type { ImportFormat } from './conversation.ts';
import { listAt, objectAt } from './fields.ts';

/** The format of a conversation, by what only that format has; `undefined` if it is unknown. */
export function detectFormat(entry: JsonObject): ImportFormat | undefined {
  if (entry['format'] === 'vizprompt-flow') return 'vizprompt';
  if ('mapping' in entry) return 'chatgpt';
  if ('chat_messages' in entry) return 'claude';
  if (isOpenWebUi(entry)) return 'open-webui';
  if ('messagesTree' in entry || listAt(entry, 'messages').some(isLibreChatMessage)) {
    return 'librechat';
  }
  if ('records' in entry) return formatOfRecords(listAt(entry, 'records'));
  return listAt(entry, 'messages').some(isOpenAiMessage) ? 'openai' : undefined;
}

/**
 * Whether an entry is a piece of a conversation and no conversation: a message, or a line of a
 * session.
 */
function isRecord(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || detectFormat(value) !== undefined) return false;
  return typeof value['type'] === 'string' || isOpenAiMessage(value);
}

/** Whether a record is the first of a session. */
function beginsSession(record: JsonObject): boolean {
  return record['type'] === 'session' && typeof record['id'] === 'string';
}

function formatOfRecords(records: readonly JsonValue[]): ImportFormat | undefined {
  const objects = records.filter(isJsonObject);
  if (objects.some(beginsSession)) return 'pi';
  if (objects.some((record) => 'parentUuid' in record && 'sessionId' in record)) {
    return 'claude-code';
  }
  return objects.some(isOpenAiMessage) ? 'openai' : undefined;
}

function isOpenWebUi(entry: JsonObject): boolean {
  const chat = isJsonObject(entry['chat']) ? entry['chat'] : entry;
  const hasHistory = isJsonObject(objectAt(chat, 'history')['messages']);
  return hasHistory || (chat !== entry && Array.isArray(chat['messages']));
}

function isLibreChatMessage(message: JsonValue): boolean {
  return isJsonObject(message) && ('messageId' in message || 'isCreatedByUser' in message);
}

function isOpenAiMessage(message: JsonValue): boolean {
  return isJsonObject(message) && typeof message['role'] === 'string';
}

/** An entry of a source, parsed or with the reason why not. */
export interface SourceEntry {
  /** Where it stands, for reports: `conversations.json, entry 3`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
  /** The length of its text, where it was read from one. */
  readonly characters?: number;
  /** What was odd about the source of the entry. */
  readonly warnings?: readonly string[];
  /** Gives a file that lies beside the entry, by the path by which a node names it. */
  readonly open?: (path: string) => Promise<Uint8Array | undefined>;
}

/** Warnings of one session that are listed. */
const MAX_WARNINGS = 1000;

/**
 * Makes one entry, `{ records: [...] }`, of the messages or lines of sessions among the entries of a
 * file. A line of a session that is no JSON, such as one that was being written, is a warning.
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
  const take = (): SourceEntry => {
    const isTooLarge = characters > max;
    const error = `its records have more than ${max} characters: split it, or raise limits.entryCharacters`;
    const taken = isTooLarge ? { name, error } : { name, value: { records }, warnings };
    [records, warnings, characters] = [[], [], 0];
    return taken;
  };
  const warn = (warning: string): void => {
    if (warnings.length < MAX_WARNINGS) warnings.push(warning);
  };
  for await (const entry of entries) {
    const { value, error } = entry;
    if (error !== undefined && records.length > 0) {
      warn(`${entry.name}: ${error}`);
    } else if (Array.isArray(value)) {
      yield { name: entry.name, value: { records: value } };
    } else if (isRecord(value)) {
      if (beginsSession(value) && (records.length > 0 || characters > 0)) yield take();
      characters += entry.characters ?? 0;
      if (characters > max) records = [];
      else records.push(value);
      for (const warning of entry.warnings ?? []) warn(warning);
    } else {
      yield entry;
    }
  }
  if (records.length > 0 || characters > 0) yield take();
}
