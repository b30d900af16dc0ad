import { listAt, numberAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { uuidFromHash } from '../../create-id.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { isNew, noteSession, textHash, type TranscriptState } from '../model/state.ts';
import { messageOfRecord } from './other-versions.ts';

/** A message being read. */
interface Message {
  readonly info: JsonObject;
  readonly state: TranscriptState;
  /** Names it, the same in every copy: a fork copies messages under new ids, with their times. */
  readonly key: string;
  /** True if it no longer grows. */
  readonly isOver: boolean;
  readonly cwd: string | undefined;
}

/** Reads a message: an entry with the parts that no earlier line had. */
function readMessage(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const { state } = context;
  const info = objectAt(line, 'info');
  const type = textAt(info, 'role') ?? 'without a role';
  const owner = textAt(info, 'sessionID');
  if (owner !== undefined) context.session(owner);
  if (type !== 'user' && type !== 'assistant') return [{ kind: 'unknown', type }];
  const { session, notes } = state;
  const isChild = session?.metadata['kind'] === 'subagent';
  const created = numberAt(objectAt(info, 'time'), 'created') ?? textAt(info, 'id') ?? '';
  const message: Message = {
    info,
    state,
    // Sessions of subagents are never forked, and several may begin at the same moment with the same words.
    key: `${isChild ? (session?.sourceId ?? '') : 'opencode'}/${type}/${created}`,
    isOver: line['isOver'] === true || isFinished(info),
    cwd: textAt(objectAt(info, 'path'), 'cwd') ?? session?.workspacePath,
  };
  const parts = listAt(line, 'parts')
    .filter(isJsonObject)
    .flatMap((part) => partsOf(part, message));
  const id = textAt(info, 'id') ?? '';
  // Messages are in a row; one that has grown continues after its own events.
  const parent = notes['last'] === id ? id : stringOf(notes['last']);
  notes['last'] = id;
  return [
    {
      kind: 'message',
      type,
      role: type,
      id,
      parent,
      messageId: id,
      time: timeAt(objectAt(info, 'time'), 'created'),
      model: textAt(info, 'modelID') ?? textAt(objectAt(info, 'model'), 'modelID'),
      usage: type === 'assistant' ? takeUsage(message) : undefined,
      isSummary: info['summary'] === true || undefined,
      hasFailed: Object.keys(objectAt(info, 'error')).length > 0 || undefined,
      // The user of a subagent is the agent that gives it a task.
      subagent: isChild ? (textAt(info, 'agent', 'mode') ?? 'subagent') : undefined,
      parts,
    },
  ];
}

function isFinished(info: JsonObject): boolean {
  const isDone = numberAt(objectAt(info, 'time'), 'completed') !== undefined;
  return textAt(info, 'role') === 'user' || isDone || 'error' in info;
}

/** Returns the usage of the message once, for the first entry after it is finished. */
function takeUsage({ info, state, key, isOver }: Message): JsonObject | undefined {
  const tokens = objectAt(info, 'tokens');
  if (!isOver || Object.keys(tokens).length === 0 || state.usage.has(key)) return undefined;
  state.usage.set(key, {});
  return tokens;
}

/** Parts that describe the work of the program, such as its steps and snapshots. */
const NOTES: ReadonlySet<string> = new Set([
  'agent',
  'compaction',
  'patch',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
]);

function partsOf(raw: JsonObject, message: Message): readonly TranscriptPart[] {
  const type = textAt(raw, 'type') ?? 'without a type';
  const key = `${message.key}/${type}/${startOf(raw)}`;
  switch (type) {
    case 'text':
    case 'reasoning': {
      const text = textAt(raw, 'text') ?? '';
      // Text that the program adds in the name of the user, such as that of an attached file.
      const isProgram = raw['synthetic'] === true || raw['ignored'] === true;
      if (isProgram) return [{ type: 'other', name: 'text:program', kind: 'note', raw }];
      if (!isWhole(raw, message)) return [];
      const name = `${key}/${textHash(text)}`;
      if (!isNew(message.state, name)) return [];
      return [{ type: type === 'text' ? 'text' : 'thinking', key: name, text, raw }];
    }
    case 'file':
      return isNew(message.state, `${key}/${textHash(JSON.stringify(raw['url'] ?? null))}`)
        ? [{ type: 'other', name: type, kind: 'media', key, raw }]
        : [];
    case 'tool':
      return callParts(raw, message);
    case 'subtask':
      // A command of the user that a subagent carries out has its words here, and no text.
      return partsOf({ ...raw, type: 'text', text: raw['prompt'] ?? '' }, message);
    default:
      return [{ type: 'other', name: type, kind: NOTES.has(type) ? 'note' : 'unknown', raw }];
  }
}

/** When a part began; what the user sends has no times of its own. */
function startOf(raw: JsonObject): number | string {
  return numberAt(objectAt(raw, 'time'), 'start') ?? '';
}

/** Checks whether a text does not grow any more. */
function isWhole(raw: JsonObject, { isOver }: Message): boolean {
  const time = objectAt(raw, 'time');
  return isOver || numberAt(time, 'start') === undefined || numberAt(time, 'end') !== undefined;
}

/** The call, and its result as soon as there is one; nothing that an earlier line had. */
function callParts(raw: JsonObject, message: Message): readonly TranscriptPart[] {
  const { cwd, key } = message;
  const state = objectAt(raw, 'state');
  const status = textAt(state, 'status') ?? '';
  // Its input is not complete yet.
  if (status === 'pending') return [];
  const callId = textAt(raw, 'callID') ?? '';
  const tool = textAt(raw, 'tool') ?? 'unknown';
  // The same in every copy of a call, in the form of ids that occur only once.
  const id = uuidFromHash(Buffer.from(textHash(`${key}/${callId}`), 'hex'), 8);
  const isEnded = status === 'completed' || status === 'error';
  const input = state['input'] ?? null;
  const call = { type: 'tool-call', id, callId, tool, input, cwd, raw } as const;
  const begun = isNew(message.state, id) ? [call] : [];
  if (!isEnded || !isNew(message.state, `${id}#end`)) return begun;
  const metadata = objectAt(state, 'metadata');
  const outputPath = textAt(metadata, 'outputPath');
  const output = outputOf(state);
  const time = objectAt(state, 'time');
  const [start, end] = [numberAt(time, 'start'), numberAt(time, 'end')];
  return [
    ...begun,
    {
      type: 'tool-result',
      id,
      tool,
      output,
      // A long output is in a file of its own.
      details: outputPath === undefined ? undefined : { output, outputPath },
      success: status === 'completed' && (numberAt(metadata, 'exit') ?? 0) === 0,
      error: textAt(state, 'error'),
      durationMs: start === undefined || end === undefined ? undefined : end - start,
      raw,
    },
  ];
}

function outputOf(state: JsonObject): JsonValue {
  const text = textAt(state, 'output') ?? textAt(state, 'error') ?? '';
  const attachments = listAt(state, 'attachments').map((one) => {
    const { id: _id, sessionID: _session, messageID: _message, ...file } = objectOf(one);
    return file;
  });
  return attachments.length === 0 ? text : [{ type: 'text', text }, ...attachments];
}

/** Titles that opencode gives to sessions that have none. */
const NO_TITLE = /^(?:New|Child) session - \d{4}-/;

/**
 * Reads a session of opencode, or one message of it, in the form of `opencode export`: `info`, and the `messages` or
 * `parts` that belong to it. A message is read again when it has grown. Version 2 exports records without `info`.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readOpencodeLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const info = objectAt(line, 'info');
  if (textAt(info, 'role') !== undefined) return readMessage(line, context);
  const id = textAt(info, 'id');
  if (id === undefined) return [{ kind: 'unknown', type: 'without info' }];
  begin(id, info, context);
  const title = textAt(info, 'title');
  const isNamed = title !== undefined && !NO_TITLE.test(title);
  const head: EntryDraft = {
    kind: 'note',
    type: 'session',
    title: isNamed ? title : undefined,
    raw: { info },
  };
  const messages = listAt(line, 'messages')
    .filter(isJsonObject)
    .map((one) => ('info' in one ? one : messageOfRecord(one, id)))
    .filter((one) => one !== undefined);
  const last = messages.at(-1);
  // Only the last message may still grow.
  const lines = messages.map((one) => (one === last ? one : { ...one, isOver: true }));
  return [head, ...lines.flatMap((message) => readMessage(message, context))];
}

function begin(id: string, info: JsonObject, context: ReadContext): void {
  const session = context.session(id);
  const parent = textAt(info, 'parentID');
  noteSession(session, {
    cwd: textAt(info, 'directory') ?? textAt(objectAt(info, 'location'), 'directory'),
    startedAt: timeAt(objectAt(info, 'time'), 'created'),
    more: {
      agent_version: textAt(info, 'version'),
      parent_session: parent,
      kind: parent === undefined ? undefined : 'subagent',
    },
  });
}
