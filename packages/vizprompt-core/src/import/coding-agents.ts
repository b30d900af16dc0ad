import type { JsonObject } from '@vizprompt/providers';
import {
  omitUndefined as defined,
  isJsonObject,
  listAt,
  objectOf,
  textAt,
} from '@vizprompt/providers/internal';
import {
  type TranscriptAgent,
  type TranscriptEntry,
  type TranscriptPart,
  TranscriptReader,
} from '@vizprompt/providers/transcripts';
import { readPiece } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type ImportFormat,
  type MessagePart,
} from './conversation.ts';
import { idAt, isBlank, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';

/** Reads the records of a session as the entries of its transcript. */
function entriesOf(entry: JsonObject, agent: TranscriptAgent): readonly TranscriptEntry[] {
  const reader = new TranscriptReader({ agent });
  const records = isBlank(entry['records']) ? [entry] : listAt(entry, 'records');
  return records.filter(isJsonObject).flatMap((value) => reader.read({ value }));
}

/** Returns the message of an entry. */
function messageOf(
  { id = '', parent, time, model, hasFailed, isAborted, role, raw }: TranscriptEntry,
  parts: readonly MessagePart[],
): ImportedMessage {
  return { id, role, parts, raw, ...defined({ parent, time, model, hasFailed, isAborted }) };
}

type AgentFormat = Extract<ImportFormat, 'codex' | 'copilot-cli' | 'gemini-cli'>;

const AGENTS: Readonly<Record<AgentFormat, TranscriptAgent>> = {
  codex: 'codex',
  'gemini-cli': 'gemini',
  'copilot-cli': 'copilot',
};

/**
 * Reads a session of a coding agent whose entries are in the order in which they were said. Where a session was
 * rewound, what follows is a branch.
 *
 * Source: docs/formats/transcripts.md.
 *
 * @throws BrokenEntry if nothing was said.
 */
export function readTranscript(format: AgentFormat, entry: JsonObject): ImportedConversation {
  const messages: ImportedMessage[] = [];
  const entries = entriesOf(entry, AGENTS[format]);
  const ids = new Set<string>();
  let parent: string | undefined;
  for (const [at, each] of entries.entries()) {
    const rewound = textAt(objectOf(each.raw), '$rewindTo');
    if (rewound !== undefined) parent = messages.find(({ id }) => id === rewound)?.parent;
    const isSaid = each.kind === 'message' && each.parts.length > 0;
    if (!isSaid) continue;
    const own = each.id ?? `${at + 1}`;
    const id = ids.has(own) ? `${own}/${at + 1}` : own;
    ids.add(id);
    const { parent: _, ...message } = messageOf(each, each.parts.flatMap(partOf));
    messages.push({ ...message, id, ...defined({ parent }) });
    parent = id;
  }
  const session = entries.findLast((each) => each.session)?.session;
  if (messages.length === 0 || !session) throw new BrokenEntry('it holds no messages');
  const warnings: string[] = [];
  return {
    format,
    id: session.sourceId,
    title: entries.findLast(({ title }) => title)?.title ?? '',
    ...defined({ created: session.startedAt ?? messages.find(({ time }) => time)?.time }),
    messages: linkMessages(messages, warnings),
    warnings,
  };
}

/** Returns the parts of a message that an agent's part is. */
function partOf(part: TranscriptPart): MessagePart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'thinking': {
      const { text, subject } = part;
      if (text === '' && subject === undefined) return [];
      return [{ type: 'reasoning', text: [subject, text].filter(Boolean).join('\n') }];
    }
    case 'tool-call': {
      const { type, id, tool, input } = part;
      return [{ type, id, tool, input }];
    }
    case 'tool-result': {
      const { type, id, tool = '', output = null, success } = part;
      return [{ type, id, tool, output, ...(success ? {} : { isError: true }) }];
    }
    default:
      return part.kind === 'note'
        ? [{ type: 'data', kind: part.name, value: part.raw }]
        : readPiece(part.raw);
  }
}

/**
 * Reads a session of the agent pi: a line that says which session, then entries that name their
 * parents; those of old sessions are in a row.
 *
 * Source: badlogic/pi-mono, packages/coding-agent/docs/session.md (version 3).
 *
 * @throws BrokenEntry if there is no session line.
 */
export function readPi(entry: JsonObject): ImportedConversation {
  const all = entriesOf(entry, 'pi');
  const head = all.find(({ type }) => type === 'session');
  const session = objectOf(head?.raw);
  const id = idAt(session, 'id');
  if (id === undefined) throw new BrokenEntry("it has no line of the type 'session'");
  const entries = all.filter((each) => each !== head);
  const warnings: string[] = [];
  const messages: ImportedMessage[] = [];
  const passed = new Map<string, string | undefined>();
  const labels = labelsOf(entries);
  for (const each of entries) {
    const label = labels.get(each.id ?? '');
    if (SETTINGS.has(each.type)) passed.set(each.id ?? '', each.parent);
    else messages.push(readPiEntry(each, label));
  }
  return {
    format: 'pi',
    id,
    title: entries.findLast(({ type }) => type === 'session_info')?.title ?? '',
    ...defined({ created: timeAt(session, 'timestamp'), head: messages.at(-1)?.id }),
    messages: linkMessages(messages, warnings, passed),
    warnings,
  };
}

/** Entries that say nothing. */
const SETTINGS: ReadonlySet<string> = new Set([
  'label',
  'model_change',
  'session_info',
  'thinking_level_change',
]);

function readPiEntry(entry: TranscriptEntry, label: string | undefined): ImportedMessage {
  const { raw, type, name = type } = entry;
  const isSaid = type === 'message' || type === 'custom_message';
  const value = objectOf(raw);
  const parts: MessagePart[] = isSaid
    ? entry.parts.flatMap((part) =>
        part.type === 'text' || part.type === 'thinking' ? readPiece(part.raw) : partOf(part),
      )
    : [{ type: 'data', kind: type === 'custom' ? name : type, value }];
  if (label !== undefined) parts.push({ type: 'data', kind: 'label', value: label });
  return { ...messageOf(entry, parts), ...defined({ name: isSaid ? entry.name : undefined }) };
}

/** Returns the last label of each entry; one without text takes it away. */
function labelsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { raw, type } of entries) {
    if (type !== 'label') continue;
    const target = textAt(objectOf(raw), 'targetId') ?? '';
    const label = textAt(objectOf(raw), 'label');
    if (label === undefined) labels.delete(target);
    else labels.set(target, label);
  }
  return labels;
}

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
