import type { JsonObject } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { TranscriptEntry } from '@vizprompt/providers/transcripts';
import { readPiece } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { objectOf, textAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';
import { entriesOf, messageOf } from './transcript.ts';

/**
 * Reads a session of Claude Code: entries that name their parents. An answer is in several entries, one
 * for each block of its content; the results of tools come in entries of the user.
 *
 * Source: docs/formats/imports.md; Anthropic publishes no description.
 *
 * @throws BrokenEntry if there are no messages, or no session.
 */
export function readClaudeCode(entry: JsonObject): ImportedConversation {
  const all = entriesOf(entry, 'claude-code');
  const records = all.map(({ raw }) => objectOf(raw));
  const session = textOf(records, 'sessionId');
  if (session === undefined) throw new BrokenEntry("it has no 'sessionId'");
  const warnings: string[] = [];
  const messages: ImportedMessage[] = [];
  const passed = new Map<string, string | undefined>();
  const left = new Map<string, number>();
  for (const each of all) {
    const { id, parent } = each.carrier ?? each;
    const type = textAt(objectOf(each.raw), 'type') ?? 'unknown';
    const isLeftOut = id === undefined || type === 'progress';
    if (!isLeftOut) messages.push(readEntry(each, type));
    else if (id !== undefined) passed.set(id, parent);
    if (isLeftOut && !TITLES.has(type)) left.set(type, (left.get(type) ?? 0) + 1);
  }
  if (left.size > 0) {
    const counts = [...left].map(([type, count]) => `${count} ${type}`).join(', ');
    warnings.push(`entries that say nothing were left out: ${counts}`);
  }
  const named = records.filter(({ uuid }) => typeof uuid === 'string');
  const main = new Set(
    named.filter(({ isSidechain }) => isSidechain !== true).map(({ uuid }) => uuid),
  );
  const agent = main.size === 0 ? textOf(named, 'agentId') : undefined;
  return {
    format: 'claude-code',
    id: agent === undefined ? session : `${session}/${agent}`,
    title: titleOf(all),
    ...defined({
      created: messages.find(({ time }) => time)?.time,
      head: messages.findLast(({ id }) => main.has(id))?.id,
    }),
    messages: linkMessages(joinResults(messages, all), warnings, passed),
    warnings,
  };
}

/** Entries that name the session. */
const TITLES: ReadonlySet<string> = new Set(['summary', 'custom-title', 'ai-title']);

function titleOf(entries: readonly TranscriptEntry[]): string {
  const ids = new Set(['', ...entries.map(({ id }) => id)]);
  const last = (wanted: string): string | undefined =>
    // A session begins with the summaries of others; they name their last entries.
    entries.findLast(({ type, titled = '' }) => type === wanted && ids.has(titled))?.title;
  return last('custom-title') ?? last('ai-title') ?? last('summary') ?? '';
}

function textOf(records: readonly JsonObject[], key: string): string | undefined {
  for (const record of records) {
    const text = textAt(record, key);
    if (text !== undefined) return text;
  }
  return undefined;
}

function readEntry(entry: TranscriptEntry, type: string): ImportedMessage {
  const { uuid: _uuid, parentUuid: _parent, ...value } = objectOf(entry.raw);
  if (type !== 'user' && type !== 'assistant') {
    return messageOf(entry, [{ type: 'data', kind: type, value }]);
  }
  const { toolUseResult } = value;
  const parts = entry.parts.flatMap((part) => readPiece(part.raw));
  if (toolUseResult !== undefined) {
    // The result of a tool, in more detail than the model received it.
    parts.push({ type: 'data', kind: 'toolUseResult', value: toolUseResult });
  }
  if (entry.isSidechain !== true) return messageOf(entry, parts);
  const meta = { isSidechain: true, ...defined({ agentId: textAt(value, 'agentId') }) };
  return messageOf(
    entry,
    parts.map((part): MessagePart => ({ ...part, meta: { ...part.meta, ...meta } })),
  );
}

/**
 * Puts the results of tools that ran at the same time one after the other. In the file, the parent of each
 * is the entry of its call, and the session continues from the last; the others would look like abandoned
 * branches.
 *
 * @param entries - The entries that the messages were read from.
 */
function joinResults(
  messages: readonly ImportedMessage[],
  entries: readonly TranscriptEntry[],
): ImportedMessage[] {
  const answers = answersOf(entries);
  const children = new Map<string, number>();
  for (const { parent = '' } of messages) children.set(parent, (children.get(parent) ?? 0) + 1);
  const results = new Map<string, ImportedMessage[]>();
  const lastOf = new Map<string, string>();
  for (const message of messages) {
    const own = answers.get(message.id);
    if (own !== undefined) lastOf.set(own, message.id);
    const answer = message.role === 'tool' ? answers.get(message.parent ?? '') : undefined;
    if (answer !== undefined) results.set(answer, [...(results.get(answer) ?? []), message]);
  }
  // An answer that waits for a result before it continues is a row already.
  const answerOfResult = new Map(
    [...results].flatMap(([answer, list]) => list.map(({ id }) => [id, answer] as const)),
  );
  for (const { id, parent = '' } of messages) {
    const answer = answers.get(id);
    if (answer !== undefined && answerOfResult.get(parent) === answer) results.delete(answer);
  }

  const moved = new Map<string, string>();
  for (const [answer, siblings] of results) {
    const goingOn = siblings.filter(({ id }) => children.has(id));
    const isParallel = siblings.length > 1 && areDistinct(siblings) && goingOn.length <= 1;
    if (!isParallel) continue;
    // The result that the session continues from comes last, after the whole answer.
    const [next = siblings.at(-1)] = goingOn;
    const row = [...siblings.filter((result) => result !== next), ...(next ? [next] : [])];
    let parent = lastOf.get(answer) ?? '';
    for (const { id } of row) {
      moved.set(id, parent);
      parent = id;
    }
  }
  return messages.map((message) => {
    const { parent: before, ...rest } = message;
    return { ...rest, ...defined({ parent: moved.get(message.id) ?? before }) };
  });
}

/** Returns the id of the model's message that each entry of an answer is a piece of. */
function answersOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ id, messageId, role }) =>
      role === 'assistant' && id !== undefined && messageId !== undefined ? [[id, messageId]] : [],
    ),
  );
}

/** Checks whether these are results of different calls; a second result of one call is a branch. */
function areDistinct(results: readonly ImportedMessage[]): boolean {
  const calls = results.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])),
  );
  return new Set(calls).size === calls.length;
}
