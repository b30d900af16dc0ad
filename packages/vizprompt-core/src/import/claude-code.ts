import { defined, isJsonObject, type JsonObject } from '@vizprompt/providers';
import { readBlock } from './claude-block.ts';
import { joinResults } from './claude-code-results.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { listAt, objectAt, textAt, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';

/**
 * Reads a session of Claude Code: entries that name their parents. An answer stands in several
 * entries, one for each block of its content; the results of tools come in entries of the user.
 *
 * Source: the format as described in docs/formats/imports.md; Anthropic publishes none.
 *
 * @throws BrokenEntry if there are no messages, or no session.
 */
export function readClaudeCode(entry: JsonObject): ImportedConversation {
  const records = listAt(entry, 'records').filter(isJsonObject);
  const session = firstText(records, 'sessionId');
  if (session === undefined) throw new BrokenEntry("it has no 'sessionId'");
  const entries = records.filter((record) => textAt(record, 'uuid') !== undefined);
  const warnings: string[] = [];
  const messages: ImportedMessage[] = [];
  const passed = new Map<string, string | undefined>();
  const left = new Map<string, number>();
  for (const record of records) {
    const id = textAt(record, 'uuid');
    const type = textAt(record, 'type') ?? 'unknown';
    // Behind a summary the conversation goes on from where it was.
    const parent = textAt(record, 'parentUuid') ?? textAt(record, 'logicalParentUuid');
    const isLeftOut = id === undefined || type === 'progress';
    if (!isLeftOut) messages.push({ id, ...defined({ parent }), ...readRecord(record, type) });
    else if (id !== undefined) passed.set(id, parent);
    if (isLeftOut && !TITLES.has(type)) left.set(type, (left.get(type) ?? 0) + 1);
  }
  if (left.size > 0) {
    const counts = [...left].map(([type, count]) => `${count} ${type}`).join(', ');
    warnings.push(`entries that say nothing were left out: ${counts}`);
  }
  const ofMain = new Set(
    entries.filter(({ isSidechain }) => isSidechain !== true).map(({ uuid }) => uuid),
  );
  const agent = ofMain.size === 0 ? firstText(entries, 'agentId') : undefined;
  const last = messages.findLast(({ id }) => ofMain.has(id));
  return {
    format: 'claude-code',
    id: agent === undefined ? session : `${session}/${agent}`,
    title: titleOf(records),
    ...defined({ created: messages.find(({ time }) => time)?.time, head: last?.id }),
    messages: linkMessages(joinResults(messages, entries), warnings, passed),
    warnings,
  };
}

/** Entries that name the session. */
const TITLES: ReadonlySet<string> = new Set(['summary', 'custom-title', 'ai-title']);

function titleOf(records: readonly JsonObject[]): string {
  const ids = new Set(records.map(({ uuid }) => uuid));
  const last = (type: string, key: string): string | undefined => {
    const record = records.findLast((other) => {
      // A session begins with the summaries of others; they name their last entries.
      return other['type'] === type && (type !== 'summary' || ids.has(other['leafUuid']));
    });
    return record && textAt(record, key);
  };
  return (
    last('custom-title', 'customTitle') ??
    last('ai-title', 'aiTitle') ??
    last('summary', 'summary') ??
    ''
  );
}

function firstText(records: readonly JsonObject[], key: string): string | undefined {
  for (const record of records) {
    const text = textAt(record, key);
    if (text !== undefined) return text;
  }
  return undefined;
}

function readRecord(record: JsonObject, type: string): Omit<ImportedMessage, 'id' | 'parent'> {
  const message = objectAt(record, 'message');
  const time = timeAt(record, 'timestamp');
  if (type !== 'user' && type !== 'assistant') {
    const { uuid: _uuid, parentUuid: _parent, ...value } = record;
    return { role: 'system', ...defined({ time }), parts: [{ type: 'data', kind: type, value }] };
  }
  const parts = [...readContent(message), ...readResult(record)];
  return {
    role: roleOf(record, type, parts),
    ...defined({ time, model: textAt(message, 'model') }),
    ...(record['isApiErrorMessage'] === true ? { hasFailed: true } : {}),
    parts: record['isSidechain'] === true ? parts.map((part) => ofSidechain(part, record)) : parts,
  };
}

function readContent(message: JsonObject): MessagePart[] {
  const text = textAt(message, 'content');
  if (text !== undefined) return [{ type: 'text', text }];
  return listAt(message, 'content').map(readBlock);
}

/** What a tool did, in more detail than the model was told. */
function readResult(record: JsonObject): MessagePart[] {
  const value = record['toolUseResult'];
  return value === undefined ? [] : [{ type: 'data', kind: 'toolUseResult', value }];
}

function roleOf(
  record: JsonObject,
  type: 'user' | 'assistant',
  parts: readonly MessagePart[],
): ImportedMessage['role'] {
  if (type === 'assistant') return 'assistant';
  if (record['isMeta'] === true || record['isCompactSummary'] === true) return 'system';
  const isResult = parts.some((part) => part.type === 'tool-result');
  return isResult && !parts.some((part) => part.type === 'text') ? 'tool' : 'user';
}

function ofSidechain(part: MessagePart, record: JsonObject): MessagePart {
  const agent = defined({ agentId: textAt(record, 'agentId') });
  return { ...part, meta: { ...part.meta, isSidechain: true, ...agent } };
}
