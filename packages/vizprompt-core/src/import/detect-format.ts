import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
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
export function isRecord(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || detectFormat(value) !== undefined) return false;
  return typeof value['type'] === 'string' || isOpenAiMessage(value);
}

/** Whether a record is the first of a session. */
export function beginsSession(record: JsonObject): boolean {
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
