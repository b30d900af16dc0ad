import { defined, type JsonObject } from '@vizprompt/providers';
import {
  callFiles,
  remember,
  type TranscriptBlock,
  type TranscriptCall,
  type TranscriptEntry,
  type TranscriptPart,
  type TranscriptResult,
  type TranscriptThinking,
} from '@vizprompt/providers/transcripts';
import { closeOpenCalls, closeUntold, openCall } from './calls.ts';
import { count } from './counts.ts';
import { objectOf } from './fields.ts';
import { finishCall } from './finish-call.ts';
import { promptHash, promptKey } from './keys.ts';
import { describedMedia } from './media.ts';
import type { ReaderState } from './reader-state.ts';
import type { Recording } from './recording.ts';

const MAX_NODES = 20_000;

/** An entry being recorded. */
interface Turn {
  readonly recording: Recording;
  readonly entry: TranscriptEntry;
  /** Who speaks: empty for the main conversation, else the id of the subagent. */
  readonly speaker: string;
  readonly timestamp: string | undefined;
  readonly meta: JsonObject;
  /** Goes with the first event. */
  usage: JsonObject | undefined;
  /** The last event that led here. */
  parent: string | undefined;
}

/** Adds the events of an entry; what is no event is kept or counted. */
export function recordEntry(recording: Recording, entry: TranscriptEntry): void {
  const { counts, state } = recording;
  const { id, kind, parts, type } = entry;
  noteTitle(state, entry);
  if (entry.settlesCalls === true) closeOpenCalls(recording);
  if (entry.carrier) passNode(state, entry.carrier);
  if (kind !== 'message') {
    for (const part of parts) if (part.type === 'other') keepBlock(recording, part);
    passNode(state, entry);
    if (kind === 'passing') count(counts.passing, type);
    else recording.keep(kind === 'note' ? counts.kept : counts.unknown, type, entry.raw);
    return;
  }
  state.notes['isPart'] ??= entry.isSidechain === true;
  const turn: Turn = {
    recording,
    entry,
    speaker: entry.subagent ?? '',
    timestamp: entry.time === undefined ? undefined : new Date(entry.time).toISOString(),
    meta: metaOf(entry),
    usage: entry.usage,
    parent: entry.parent === undefined ? undefined : state.nodes.get(entry.parent),
  };
  if (entry.role === 'assistant' && !isOneText(parts)) {
    for (const part of parts) recordPart(turn, part);
  } else {
    for (const part of parts) if (!isSent(turn, part)) recordPart(turn, part);
    sayAll(turn);
  }
  if (id !== undefined && turn.parent !== undefined) {
    remember(state.nodes, id, turn.parent, MAX_NODES);
  }
}

function noteTitle({ nodes, session }: ReaderState, { title, titled }: TranscriptEntry): void {
  if (title === undefined || !session) return;
  if (titled === undefined || nodes.has(titled)) session.metadata['title'] = title;
}

/** An entry without an event hands the event before it on to those that name it. */
function passNode(
  { nodes }: ReaderState,
  { id, parent }: Pick<TranscriptEntry, 'id' | 'parent'>,
): void {
  const last = parent === undefined ? undefined : nodes.get(parent);
  if (id !== undefined && last !== undefined) remember(nodes, id, last, MAX_NODES);
}

function metaOf(entry: TranscriptEntry): JsonObject {
  const { agent, session, cwd, branch, model, subagent, attachments } = entry;
  return defined({
    uuid: agent === 'claude-code' ? entry.id : undefined,
    agent_id: subagent,
    cwd: cwd === session?.workspacePath ? undefined : cwd,
    branch: branch === session?.metadata['branch'] || branch === '' ? undefined : branch,
    model: model === '<synthetic>' ? undefined : model,
    message_id: entry.messageId,
    request_id: entry.requestId,
    is_api_error: entry.hasFailed,
    attachments,
    parent_tool_use_id: entry.parentCall,
  });
}

/** Whether several blocks of an answer are one text. */
function isOneText(parts: readonly TranscriptPart[]): boolean {
  const [first, ...others] = parts.filter((part) => part.type === 'text');
  return others.length > 0 && others.every(({ key }) => key === first?.key);
}

/** Whether a part goes along with the text of its entry. */
function isSent({ entry }: Turn, part: TranscriptPart): boolean {
  if (part.type === 'text') return true;
  return part.type === 'other' && part.kind === 'media' && entry.role !== 'assistant';
}

function recordPart(turn: Turn, part: TranscriptPart): void {
  switch (part.type) {
    case 'text':
      if (part.text.trim() !== '') say(turn, part.key, part.text, {});
      break;
    case 'thinking':
      think(turn, part);
      break;
    case 'tool-call':
      call(turn, part);
      break;
    case 'tool-result':
      finish(turn, part);
      break;
    case 'other':
      keepBlock(turn.recording, part);
      break;
  }
}

/** Adds the texts of an entry, with the pictures that were sent along, as one message. */
function sayAll(turn: Turn): void {
  const { entry, recording } = turn;
  const sent = entry.parts.filter((part) => isSent(turn, part));
  const texts = sent.filter((part) => part.type === 'text').map(({ text }) => text);
  const media = sent
    .filter((part) => part.type === 'other')
    .map(({ raw }) => describedMedia(objectOf(raw)));
  const content = texts.join('\n\n');
  const [first] = sent;
  if (!first || !('key' in first) || first.key === undefined) return;
  if (content.trim() === '' && media.length === 0) return;
  // What the program itself says in the user's place, such as the output of a local command.
  if (entry.role === 'system' && entry.isSummary !== true) {
    recording.keep(recording.counts.kept, `${entry.type}:meta`, entry.raw);
    return;
  }
  say(turn, first.key, content, media.length === 0 ? {} : { attachments: media });
}

function say(turn: Turn, key: string, content: string, more: JsonObject): void {
  const { entry, recording, speaker } = turn;
  const { state } = recording;
  if (entry.isSummary === true) {
    // The model wrote it, although it is in the user's place.
    const meta = { ...more, is_compact_summary: true };
    add(turn, { type: 'assistant_message', key, data: { content } }, meta);
    return;
  }
  state.reasons.set(speaker, content);
  if (entry.role === 'assistant') {
    add(turn, { type: 'assistant_message', key, data: { content } }, more);
    return;
  }
  const hash = promptHash(content);
  const times = state.prompts[hash] ?? 0;
  const isPrompt = speaker === '';
  if (isPrompt) state.prompts[hash] = times + 1;
  const alias = isPrompt ? promptKey(state.session?.sourceId ?? '', hash, times) : undefined;
  add(turn, { type: 'user_message', key, data: { content }, ...defined({ alias }) }, more);
}

function think(turn: Turn, { key, subject, text }: TranscriptThinking): void {
  const { recording, speaker } = turn;
  if (text.trim() === '') {
    recording.counts.emptyThoughts += 1;
    return;
  }
  recording.state.reasons.set(speaker, text);
  const data = { content: text, ...defined({ context: subject }) };
  add(turn, { type: 'thinking', key, data }, {});
}

/** What an event of an entry has of its own. */
type Said = Parameters<Recording['add']>[0] extends infer Draft
  ? Draft extends { readonly meta: JsonObject }
    ? Omit<Draft, 'meta' | 'parent' | 'timestamp'>
    : never
  : never;

function add(turn: Turn, draft: Said, more: JsonObject): void {
  const { parent, timestamp } = turn;
  const meta = { ...takeMeta(turn), ...more };
  turn.recording.add({ ...draft, meta, ...defined({ parent, timestamp }) });
  turn.parent = draft.key;
}

function takeMeta(turn: Turn): JsonObject {
  const { meta, usage } = turn;
  turn.usage = undefined;
  return usage ? { ...meta, usage } : meta;
}

function call(turn: Turn, part: TranscriptCall): void {
  const { entry, parent, recording, speaker, timestamp } = turn;
  const { cwd, id, input, key, tool } = part;
  if (key !== undefined) {
    add(turn, { type: 'tool_use', key, data: { tool, parameters: input } }, {});
    return;
  }
  const meta = { ...takeMeta(turn), tool_use_id: part.callId ?? id, tool };
  const open = { id, tool, input, meta, ...defined({ cwd, timestamp, parent }) };
  const { changes } = callFiles(entry.agent, part);
  const reason = recording.state.reasons.get(speaker) ?? '';
  turn.parent = openCall(recording, open, changes, reason) ?? parent;
}

function finish(turn: Turn, part: TranscriptResult): void {
  const { entry, recording, timestamp } = turn;
  const { counts, state } = recording;
  const open = state.calls.get(part.id);
  if (open && part.output === undefined) closeUntold(recording, open);
  const last = open && part.output !== undefined && finishCall(recording, open, part, timestamp);
  if (typeof last === 'string') turn.parent = last;
  else if (part.isOfFiles === true) recording.keep(counts.kept, entry.type, part.raw);
  // The event at the end of a patch has told most of it.
  else if (!open && entry.agent === 'codex') {
    recording.keep(counts.kept, 'output of a patch', part.raw);
  } else if (!open) {
    const { details, raw } = part;
    const value = details === undefined ? entry.raw : { ...objectOf(raw), details };
    recording.keep(counts.unknown, 'result without a call', value);
  }
}

function keepBlock(recording: Recording, { kind, name, raw }: TranscriptBlock): void {
  const { counts } = recording;
  const value = typeof raw === 'object' ? describedMedia(objectOf(raw)) : raw;
  if (kind === 'note') recording.keep(counts.kept, name, value);
  else recording.keep(counts.unknown, `block:${name}`, value);
}
