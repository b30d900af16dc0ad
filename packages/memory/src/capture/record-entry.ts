import type { JsonObject } from '@vizprompt/providers';
import { objectOf, omitUndefined as defined, textAt } from '@vizprompt/providers/internal';
import {
  callFiles,
  type TranscriptCall,
  type TranscriptEntry,
  type TranscriptPart,
  type TranscriptResult,
} from '@vizprompt/providers/transcripts';
import {
  channelSpeaker,
  type TranscriptBlock,
  type TranscriptText,
} from '@vizprompt/providers/transcripts/internal';
import { closeOpenCalls, closeUntold, finishCall, openCall } from './calls.ts';
import { promptHash, promptKey, speechKey } from './keys.ts';
import { describedMedia, withoutMedia } from './media.ts';
import { count, type ReaderState } from './reader-state.ts';
import type { NewDraft, Recording } from './recording.ts';

/** An entry being recorded. */
interface Turn {
  readonly recording: Recording;
  readonly entry: TranscriptEntry;
  /** The speaker: empty for the main conversation, else the id of the subagent. */
  readonly speaker: string;
  readonly timestamp: string | undefined;
  /** Its `usage` goes with the first event only. */
  meta: JsonObject;
  /** The last event that led here. */
  parent: string | undefined;
}

/** Adds the events of an entry; what is not an event is kept or counted. */
export function recordEntry(recording: Recording, entry: TranscriptEntry): void {
  const { counts, state } = recording;
  const { kind, parts, type } = entry;
  noteTitle(state, entry);
  if (entry.settlesCalls === true) closeOpenCalls(recording);
  if (entry.carrier) passNode(state, entry.carrier);
  if (kind === 'message') recordMessage(recording, entry);
  else {
    for (const part of parts) if (part.type === 'other') keepBlock(recording, part);
    passNode(state, entry);
    if (kind === 'passing') count(counts.passing, type);
    else if (kind === 'note') count(counts.kept, type);
    else recording.keep(counts.unknown, type, entry.raw);
  }
}

function noteTitle({ nodes, session }: ReaderState, { title, titled }: TranscriptEntry): void {
  if (title === undefined || !session) return;
  if (titled === undefined || nodes.has(titled)) session.metadata['title'] = title;
}

/** Lets an entry without an event pass the event before it to the entries that name it as their parent. */
function passNode(
  { nodes }: ReaderState,
  { id, parent }: Pick<TranscriptEntry, 'id' | 'parent'>,
): void {
  const last = parent === undefined ? undefined : nodes.get(parent);
  if (id !== undefined && last !== undefined) nodes.set(id, last);
}

function recordMessage(recording: Recording, entry: TranscriptEntry): void {
  const { nodes, notes } = recording.state;
  const { id, parent, parts, time } = entry;
  notes['isPart'] ??= entry.isSidechain === true;
  const turn: Turn = {
    recording,
    entry,
    speaker: entry.subagent ?? '',
    timestamp: time === undefined ? undefined : new Date(time).toISOString(),
    meta: metaOf(entry),
    parent: parent === undefined ? undefined : nodes.get(parent),
  };
  const isOneText = isSaidAsOne(entry);
  for (const part of parts) if (!isOneText || !isSent(part)) recordPart(turn, part);
  if (isOneText) sayAll(turn);
  if (id !== undefined && turn.parent !== undefined) nodes.set(id, turn.parent);
}

function metaOf(entry: TranscriptEntry): JsonObject {
  const { agent, session, cwd, branch, model, subagent, attachments, usage } = entry;
  return defined({
    uuid: agent === 'claude-code' ? entry.id : undefined,
    agent_id: subagent,
    cwd: cwd === session?.workspacePath ? undefined : cwd,
    branch: branch === session?.metadata['branch'] || branch === '' ? undefined : branch,
    model: model === '<synthetic>' ? undefined : model,
    message_id: entry.messageId,
    request_id: entry.requestId,
    is_api_error: entry.hasFailed,
    attachments: attachments && withoutMedia(attachments),
    parent_tool_use_id: entry.parentCall,
    usage,
  });
}

/** Checks whether the texts of an entry are one: those of a user, and blocks of an answer with the same key. */
function isSaidAsOne({ parts, role }: TranscriptEntry): boolean {
  const [first, ...others] = parts.filter(isText);
  if (role !== 'assistant') return true;
  return others.length > 0 && others.every(({ key }) => key === first?.key);
}

function isText(part: TranscriptPart): part is TranscriptText {
  return part.type === 'text';
}

/** Checks whether a part goes along with the text of its entry. */
function isSent(part: TranscriptPart): boolean {
  return part.type === 'text' || (part.type === 'other' && part.kind === 'media');
}

/** Adds the texts of an entry, with the pictures that were sent along, as one message. */
function sayAll(turn: Turn): void {
  const { entry, recording } = turn;
  const sent = entry.parts.filter(isSent);
  const texts = sent.filter(isText).map(({ text }) => text);
  const media = sent.filter((part) => part.type === 'other').map(mediaOf);
  const content = texts.join('\n\n');
  const key = sent.map((part) => ('key' in part ? part.key : undefined))[0];
  if (key === undefined || (content.trim() === '' && media.length === 0)) return;
  // Text of the program itself in the user's place, such as the output of a local command.
  if (entry.role === 'system' && entry.isSummary !== true) {
    count(recording.counts.kept, `${entry.type}:meta`);
    return;
  }
  if (media.length > 0) turn.meta = { ...turn.meta, attachments: media };
  say(turn, key, content);
}

function recordPart(turn: Turn, part: TranscriptPart): void {
  const { recording, speaker } = turn;
  switch (part.type) {
    case 'text':
      if (part.text.trim() !== '') say(turn, part.key, part.text);
      break;
    case 'thinking': {
      const { key, subject, text } = part;
      if (text.trim() === '') {
        recording.counts.emptyThoughts += 1;
        break;
      }
      recording.state.reasons.set(speaker, text);
      add(turn, {
        type: 'thinking',
        ...speechKeys(turn, key, text),
        data: { content: text, ...defined({ context: subject }) },
      });
      break;
    }
    case 'tool-call':
      call(turn, part);
      break;
    case 'tool-result':
      finish(turn, part);
      break;
    case 'other':
      keepBlock(recording, part);
      break;
  }
}

function say(turn: Turn, key: string, content: string): void {
  const { entry, recording, speaker } = turn;
  const { state } = recording;
  if (entry.isSummary === true) {
    // The model wrote it, although it is in the user's place.
    turn.meta = { ...turn.meta, is_compact_summary: true };
    add(turn, { type: 'assistant_message', ...speechKeys(turn, key, content), data: { content } });
    return;
  }
  state.reasons.set(speaker, content);
  if (entry.role === 'assistant') {
    add(turn, { type: 'assistant_message', ...speechKeys(turn, key, content), data: { content } });
    return;
  }
  // The agent gives a subagent its task, not the user.
  if (speaker !== '') {
    turn.meta = { ...turn.meta, is_task: true };
    add(turn, { type: 'assistant_message', key, data: { content } });
    return;
  }
  turn.meta = { ...turn.meta, ...defined({ speaker: channelSpeaker(content) }) };
  const hash = promptHash(content);
  if (isCopyOfCodex(entry)) {
    const copy = promptKey(recording.origin, hash, recording.timesSaid(`prompt ${hash}`));
    add(turn, { type: 'user_message', key: copy, data: { content } });
    return;
  }
  const times = state.prompts[hash] ?? 0;
  // A log may have a prompt again, under the key of the first.
  const isAgain = state.nodes.get(key.slice(0, key.lastIndexOf('#'))) === key;
  if (!isAgain) state.prompts[hash] = times + 1;
  const alias = promptKey(state.session?.sourceId ?? '', hash, times);
  add(turn, { type: 'user_message', key, data: { content }, alias });
}

/** Codex gives copies of lines other times, and so other keys: what was said is known by its words. */
function isCopyOfCodex({ agent, copiedFrom }: TranscriptEntry): boolean {
  return agent === 'codex' && copiedFrom !== undefined;
}

/** Returns the key of what an agent said, and the one by which a copy of it is known. */
function speechKeys(
  { entry, recording }: Turn,
  key: string,
  content: string,
): Pick<NewDraft, 'alias' | 'key'> {
  if (entry.agent !== 'codex') return { key };
  const hash = promptHash(content);
  const words = speechKey(recording.origin, hash, recording.timesSaid(`said ${hash}`));
  return isCopyOfCodex(entry) ? { key: words } : { key, alias: words };
}

/** The part of an event that is particular to an entry. */
type Said = NewDraft extends infer Draft
  ? Draft extends NewDraft
    ? Omit<Draft, 'meta' | 'parent' | 'timestamp'>
    : never
  : never;

function add(turn: Turn, draft: Said): void {
  const { meta, parent, timestamp } = turn;
  const { copiedFrom } = turn.entry;
  turn.recording.add({ ...draft, meta, ...defined({ copiedFrom, parent, timestamp }) });
  turn.parent = draft.key;
  turn.meta = withoutUsage(meta);
}

function withoutUsage({ usage: _usage, ...meta }: JsonObject): JsonObject {
  return meta;
}

function call(turn: Turn, part: TranscriptCall): void {
  const { entry, parent, recording, speaker, timestamp } = turn;
  const { cwd, id, input, key, tool } = part;
  if (key !== undefined) {
    add(turn, { type: 'tool_use', key, data: { tool, parameters: input } });
    return;
  }
  const server = textAt(objectOf(part.raw), 'namespace', 'mcpServerName', 'server');
  const meta = { ...turn.meta, tool_use_id: part.callId ?? id, tool, ...defined({ server }) };
  const open = { id, tool, input, meta, ...defined({ cwd, timestamp, parent }) };
  const { changes } = callFiles(entry.agent, part);
  const reason = recording.state.reasons.get(speaker) ?? '';
  turn.parent = openCall(recording, open, changes, reason) ?? parent;
  turn.meta = withoutUsage(turn.meta);
}

function finish(turn: Turn, part: TranscriptResult): void {
  const { entry, recording, timestamp } = turn;
  const { counts, state } = recording;
  const { details, id, output, raw } = part;
  const open = state.calls.get(id);
  if (open && output === undefined) {
    closeUntold(recording, open);
    return;
  }
  const last = open && finishCall(recording, open, part, entry.agent, timestamp);
  if (last !== undefined) turn.parent = last;
  else if (part.isOfFiles === true) count(counts.kept, entry.type);
  // The event at the end of a patch has reported most of it.
  else if (entry.agent === 'codex') count(counts.kept, 'output of a patch');
  else {
    const value = details === undefined ? entry.raw : { ...objectOf(raw), details };
    recording.keep(counts.unknown, 'result without a call', value);
  }
}

function keepBlock(recording: Recording, block: TranscriptBlock): void {
  const { counts } = recording;
  const value = typeof block.raw === 'object' ? mediaOf(block) : block.raw;
  if (block.kind === 'note') count(counts.kept, block.name);
  else recording.keep(counts.unknown, `block:${block.name}`, value);
}

function mediaOf({ raw }: TranscriptBlock): JsonObject {
  return describedMedia(objectOf(raw));
}
