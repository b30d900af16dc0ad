import { numberAt, objectAt, omitUndefined, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { Role } from '../../models/message.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { readContent } from '../model/read-content.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { globalKey, noteSession, type TranscriptState } from '../model/state.ts';
import {
  AGENT_ORIGINS,
  commandText,
  isFiller,
  isProgramText,
  KNOWN_LINES,
  PASSING_LINES,
  PASSING_PROGRESS,
  PROGRAM_ORIGINS,
  refusalText,
  shellText,
  SPOKEN_PROGRESS,
  typedText,
  USER_ATTACHMENTS,
  USER_ORIGINS,
} from './line-types.ts';
import { teammateText } from './teammate-text.ts';

/**
 * Reads a line of a log of Claude Code, of all versions known: of a session, or of a subagent.
 *
 * Source: docs/formats/transcripts.md; Anthropic publishes no description.
 */
export function readClaudeCodeLine(raw: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const line = 'session_id' in raw && !('sessionId' in raw) ? loggedLine(raw) : raw;
  const type = textAt(line, 'type') ?? 'without a type';
  const id = textAt(line, 'sessionId');
  if (id !== undefined && id !== '') context.session(id);
  const branch = textAt(line, 'gitBranch');
  noteSession(context.state.session, {
    cwd: textAt(line, 'cwd'),
    branch: branch === 'HEAD' ? undefined : branch,
    more: { agent_version: textAt(line, 'version') },
  });
  if (type === 'user' || type === 'assistant') return [readMessage(line, type, context)];
  if (type === 'progress') return [readProgress(line, context)];
  if (type === 'attachment') return [readAttachment(line, context)];
  const isPassing = PASSING_LINES.has(type);
  const kind = isPassing ? 'passing' : KNOWN_LINES.has(type) ? 'note' : 'unknown';
  return [{ kind, type, ...linksOf(line), ...titleOf(line, type) }];
}

/**
 * Returns a line that `claude -p --output-format stream-json` and the SDK print, in the form of the log: both have the same ids,
 * so an import of the two is one.
 */
function loggedLine(line: JsonObject): JsonObject {
  const { session_id: sessionId, agent_id: agentId, tool_use_result: toolUseResult } = line;
  const isSidechain = textAt(line, 'parent_tool_use_id') !== undefined;
  const { isSynthetic: isMeta, claude_code_version: version } = line;
  return {
    ...line,
    ...omitUndefined({ sessionId, agentId, toolUseResult, isSidechain, isMeta, version }),
  };
}

function readAttachment(line: JsonObject, context: ReadContext): EntryDraft {
  const attachment = objectAt(line, 'attachment');
  const name = textAt(attachment, 'type') ?? '';
  // A prompt that the user types while the agent works is in no other line.
  if (name === 'queued_command' && 'prompt' in attachment) {
    const message = { role: 'user', content: attachment['prompt'] };
    const origin = attachment['origin'] ?? line['origin'] ?? null;
    const isMeta = attachment['isMeta'] ?? line['isMeta'] ?? false;
    return readMessage({ ...line, message, origin, isMeta }, 'user', context);
  }
  const kind = name === '' || USER_ATTACHMENTS.has(name) ? 'note' : 'passing';
  return { kind, type: name === '' ? 'attachment' : `attachment:${name}`, ...linksOf(line) };
}

/** After a compaction the conversation continues from where it was. */
function linksOf(line: JsonObject): Pick<EntryDraft, 'id' | 'parent'> {
  const parent = textAt(line, 'parentUuid') ?? textAt(line, 'logicalParentUuid');
  return { id: textAt(line, 'uuid'), parent };
}

function titleOf(line: JsonObject, type: string): Pick<EntryDraft, 'title' | 'titled'> {
  if (type === 'custom-title') return { title: textAt(line, 'customTitle') };
  if (type === 'ai-title') return { title: textAt(line, 'aiTitle') };
  if (type !== 'summary') return {};
  // A file begins with the summaries of other sessions; they name entries that are not in it.
  return { title: textAt(line, 'summary'), titled: textAt(line, 'leafUuid') ?? '' };
}

/** Some versions report what a subagent says in the progress of the call that started it. */
function readProgress(line: JsonObject, context: ReadContext): EntryDraft {
  const data = objectAt(line, 'data');
  const kind = textAt(data, 'type') ?? 'without a type';
  const inner = objectAt(data, 'message');
  const innerType = textAt(inner, 'type');
  const links = linksOf(line);
  const isSpoken = SPOKEN_PROGRESS.has(kind);
  if (isSpoken && (innerType === 'user' || innerType === 'assistant')) {
    const agentId = textAt(data, 'agentId') ?? 'subagent';
    const { parentUuid: _parent, data: _data, ...outer } = line;
    const merged = { ...outer, ...inner, isSidechain: true, agentId };
    const uuid = textAt(inner, 'uuid') ?? textAt(line, 'uuid');
    const message = readMessage(omitUndefined({ ...merged, uuid }), innerType, context);
    return { ...message, carrier: links, raw: line };
  }
  const isPassing = isSpoken || PASSING_PROGRESS.has(kind);
  return { kind: isPassing ? 'passing' : 'unknown', type: `progress:${kind}`, ...links };
}

function readMessage(
  line: JsonObject,
  type: 'assistant' | 'user',
  { state }: ReadContext,
): EntryDraft {
  const message = objectAt(line, 'message');
  const { session } = state;
  const links = linksOf(line);
  const isWhole = session && links.id !== undefined && Object.keys(message).length > 0;
  // A prompt whose files were saved later is in the log again, under another id.
  const key = globalKey(session?.sourceId ?? '', textAt(line, 'sentAsUuid') ?? links.id ?? '');
  const cwd = textAt(line, 'cwd');
  const isUser = type === 'user';
  const agents = isUser ? teammateOf(message['content']) : undefined;
  const told = agents === '' ? undefined : agents;
  const said = readContent(
    told ?? (isUser ? typedContent(message['content']) : message['content']),
    line['toolUseResult'],
    cwd ?? session?.workspacePath,
    // The texts of a user are one; an answer has one in each block.
    (index) => `${key}#${isUser ? 0 : index}`,
  );
  const isSidechain = line['isSidechain'] === true;
  // To a subagent, its user is the agent that gave it its task.
  const refusals = isUser && !isSidechain ? said.flatMap((part) => refusalOf(part, key)) : [];
  const parts = refusals.length === 0 ? said : [...said, ...refusals];
  const origin = originOf(line);
  const model = textAt(message, 'model');
  const isFilling =
    model === '<synthetic>' && parts.every((part) => part.type === 'text' && isFiller(part.text));
  return {
    kind: !isWhole ? 'unknown' : isFilling ? 'note' : 'message',
    type: isWhole ? type : `${type} without message, uuid or session`,
    role: agents === '' ? 'system' : isUser ? userRole(line, parts) : 'assistant',
    parts,
    ...links,
    time: timeAt(line, 'timestamp'),
    model,
    subagent:
      textAt(line, 'agentId') ??
      (isSidechain ? 'sidechain' : AGENT_ORIGINS.has(origin) ? origin : told && 'peer'),
    isSidechain,
    isSummary: line['isCompactSummary'] === true && line['isMeta'] !== true,
    hasFailed: line['isApiErrorMessage'] === true || undefined,
    usage: isWhole && !isUser ? addedUsage(state, line) : undefined,
    messageId: textAt(message, 'id'),
    requestId: textAt(line, 'requestId'),
    copiedFrom: copiedFrom(line),
    cwd,
    branch: textAt(line, 'gitBranch'),
  };
}

/** Returns the words of the user in the result of a call that was refused. */
function refusalOf(part: TranscriptPart, key: string): readonly TranscriptPart[] {
  if (part.type !== 'tool-result' || part.success) return [];
  const { output, raw } = part;
  const [block = null] = Array.isArray(output) ? (output as readonly JsonValue[]) : [output];
  const text = refusalText(textOf(block) ?? '');
  return text === undefined ? [] : [{ type: 'text', key: `${key}#0`, text, raw }];
}

/** A fork begins with the lines of the session that it came from; its answers name that one. */
function copiedFrom(line: JsonObject): string | undefined {
  const from =
    textAt(line, 'requestSessionId') ?? textAt(objectAt(line, 'forkedFrom'), 'sessionId');
  return from === textAt(line, 'sessionId') ? undefined : from;
}

/** Returns what other agents say in the user's place: nothing where programs only report their states. */
function teammateOf(content: JsonValue | undefined): string | undefined {
  const [only, ...others] = Array.isArray(content) ? (content as readonly JsonValue[]) : [content];
  const text = only === undefined || others.length > 0 ? undefined : textOf(only);
  return text === undefined ? undefined : teammateText(text);
}

/** Returns what the user typed: a command as it was, and words without what the program puts before them. */
function typedContent(content: JsonValue | undefined): JsonValue | undefined {
  const typedIn = (text: string): string => commandText(text) ?? shellText(text) ?? typedText(text);
  if (typeof content === 'string') return typedIn(content);
  if (!Array.isArray(content)) return content;
  const blocks = (content as readonly JsonValue[]).map((block): JsonValue => {
    const text = textOf(block);
    return text === undefined ? block : { type: 'text', text: typedIn(text) };
  });
  const typed = blocks.filter((block) => !isProgramText(textOf(block) ?? ''));
  return typed.some((block) => textOf(block) !== undefined) ? typed : blocks;
}

function textOf(block: JsonValue): string | undefined {
  if (typeof block === 'string') return block;
  return isJsonObject(block) && block['type'] === 'text' ? textAt(block, 'text') : undefined;
}

/** Returns the kind of sender of a message in the user's place; that of a notification where more than the program speaks. */
function originOf(line: JsonObject): string {
  const origin = objectAt(line, 'origin');
  const kind = textAt(origin, 'kind') ?? '';
  if (kind === 'plugin' && origin['asUser'] === true) return 'plugin-as-user';
  const subkind = kind === 'task-notification' ? (textAt(origin, 'subkind') ?? '') : '';
  return AGENT_ORIGINS.has(subkind) || USER_ORIGINS.has(subkind) ? subkind : kind;
}

/** The program says in the user's place what results are, what it sums up and what commands print. */
function userRole(line: JsonObject, parts: readonly TranscriptPart[]): Role {
  const origin = originOf(line);
  if (line['isCompactSummary'] === true || PROGRAM_ORIGINS.has(origin)) return 'system';
  const isSent = AGENT_ORIGINS.has(origin) || USER_ORIGINS.has(origin);
  if (line['isMeta'] === true && !isSent) return 'system';
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length > 0 && texts.every(isProgramText)) return 'system';
  const isResult = parts.some((part) => part.type === 'tool-result');
  return isResult && !parts.some((part) => part.type === 'text') ? 'tool' : 'user';
}

const COUNTERS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
];

/**
 * Returns the usage that a line adds to that of its message. An answer is in several lines, each of which
 * repeats the usage so far; so the sum over all events is the true one.
 */
function addedUsage(state: TranscriptState, line: JsonObject): JsonObject | undefined {
  const message = objectAt(line, 'message');
  const id = textAt(message, 'id');
  const usage = objectAt(message, 'usage');
  const key = `${id ?? textAt(line, 'uuid') ?? ''}:${textAt(line, 'requestId') ?? ''}`;
  const before = state.usage.get(key) ?? {};
  const added: { [name: string]: number } = {};
  const now: { [name: string]: number } = { ...before };
  for (const name of COUNTERS) {
    const value = numberAt(usage, name) ?? 0;
    const known = before[name] ?? 0;
    if (value <= known) continue;
    added[name] = value - known;
    now[name] = value;
  }
  state.usage.set(key, now);
  return Object.keys(added).length === 0 ? undefined : added;
}
