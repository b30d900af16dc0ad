import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined, textAt } from '@vizprompt/providers/internal';
import { callFiles, type FileChange } from '@vizprompt/providers/transcripts';
import {
  absolutePath,
  changedText,
  claudeResult,
  globalKey,
  channelSpeaker,
  isProgramText,
  textHash,
} from '@vizprompt/providers/transcripts/internal';
import type { MemoryEvent } from '../../model/memory-event.ts';
import { closeOpenCalls, finishCall, openCall } from '../calls.ts';
import type { EventDraft, TranscriptAgent } from '../draft.ts';
import { writeDrafts } from '../import/draft-writer.ts';
import { ImportDeduplicator } from '../import/import-deduplicator.ts';
import type { TranscriptStore } from '../import/import-options.ts';
import { callKey, idOf, promptHash, promptKey, sessionIdOf } from '../keys.ts';
import { newReaderState, type OpenCall } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import { followHook } from './follow-hook.ts';
import {
  type HookInput,
  type HookTool,
  type RecordSettings,
  subagentTranscript,
} from './hook-input.ts';
import {
  dropTailState,
  saveTailState,
  statePath,
  type Tail,
  type TailState,
  tailTranscript,
} from './tail-transcript.ts';

const MAX_BYTES = 2 << 20;

/** Records the content of a call of Claude Code's hooks, after the new lines of the transcript. */
async function recordHook(
  store: TranscriptStore,
  input: HookInput,
  options: RecordSettings,
): Promise<void> {
  const { stateFolder = join(homedir(), '.ptta', 'hooks'), maxBytes = MAX_BYTES } = options;
  const { moment } = input;
  const isEnd = input.event === 'SessionEnd';
  const path = statePath(stateFolder, input.transcriptPath ?? input.sessionId);
  const limit = isEnd ? maxBytes * 8 : maxBytes;
  const sizeThen =
    input.transcriptPath === undefined ? undefined : moment.sizeOf(input.transcriptPath);
  const tail = await tailTranscript(input.transcriptPath, input.sessionId, path, {
    maxBytes: limit,
    sizeThen,
  });
  // A process that was killed had stored the call, and did not come to delete it.
  if (moment.id !== undefined && tail.lastCall === moment.id) return;
  const { recording } = tail;
  const session = recording.session(input.sessionId);
  if (input.cwd !== undefined) session.workspacePath ??= input.cwd;
  const told = recording.take();
  // The text of a subagent before its call is read first: it is the reason of the call.
  if (input.agentId !== undefined && input.tool) {
    const reason = await readSubagent(store, input, stateFolder, limit);
    if (reason !== undefined) recording.state.reasons.set(input.agentId, reason);
  }
  await recordEvent(store, recording, input, told, tail);
  const own = recording.take();
  if (isEnd && tail.isWhole) {
    closeOpenCalls(recording);
    if (tail.exists) recording.end();
  }
  const deduplicator = newChooser(store, input);
  const events = [...withoutOwn(told, own), ...own, ...recording.take()];
  if (events.length > 0 || input.event === 'SessionStart') {
    session.startedAt ??= moment.at.toISOString();
    await deduplicator.reopen(session);
  } else if (isEnd) await deduplicator.start(session);
  await writeDrafts(store, deduplicator, events);
  await deduplicator.finish(session, isEnd ? moment.at.toISOString() : undefined);
  if (input.event === 'SubagentStop') await readSubagent(store, input, stateFolder, limit);
  if (isEnd && tail.isWhole) await dropTailState(path);
  else if (tail.exists || input.tool) await saveTailState(path, stateOf(tail, moment.id));
}

/** Returns the open calls only while the transcript is missing: it brings the rest itself. */
function stateOf({ recording, offset, exists }: Tail, lastCall: string | undefined): TailState {
  const { state } = recording;
  const isAhead = !exists && offset === 0;
  const reader = isAhead ? { ...newReaderState(), calls: state.calls } : state;
  return { offset, reader, lastCall };
}

async function recordEvent(
  store: TranscriptStore,
  recording: Recording,
  input: HookInput,
  told: readonly EventDraft[],
  tail: Tail,
): Promise<void> {
  const { event, tool, fields } = input;
  if (event === 'UserPromptSubmit') await recordPrompt(store, recording, input, told);
  else if (event === 'PreToolUse' && tool) announceTool(recording, input, tool);
  else if (event === 'PostToolUse' && tool) {
    await finishTool(store, recording, input, tool, undefined);
  } else if (event === 'PostToolUseFailure' && tool) {
    const failure = textAt(fields, 'error') ?? 'the tool failed';
    await finishTool(store, recording, input, tool, failure);
  } else if (event === 'Stop' && !tail.exists) recordAnswer(recording, input);
}

/** Records the answer as the hook has it, where no transcript contains it. */
function recordAnswer(recording: Recording, { sessionId, fields, event, moment }: HookInput): void {
  const content = textAt(fields, 'last_assistant_message') ?? '';
  if (content.trim() === '') return;
  const timestamp = moment.at.toISOString();
  recording.add({
    type: 'assistant_message',
    key: `${sessionId}#answer:${textHash(`${timestamp}:${content}`)}`,
    data: { content },
    meta: { hook: event },
    timestamp,
  });
}

/** Returns the transcript's drafts without those that the hook knows better, having seen the file. */
function withoutOwn(told: readonly EventDraft[], own: readonly EventDraft[]): EventDraft[] {
  const keys = new Set(own.map(({ key }) => key));
  return told.filter(({ key, unlessWhole }) => {
    return !keys.has(key) && (unlessWhole === undefined || !keys.has(unlessWhole));
  });
}

function newChooser(store: TranscriptStore, input: HookInput): ImportDeduplicator {
  const fallback = input.transcriptPath === undefined ? '.' : dirname(input.transcriptPath);
  return new ImportDeduplicator(
    store,
    ({ workspacePath }) => workspacePath ?? input.cwd ?? fallback,
  );
}

/** Records what a subagent has said since the last time. Returns the last of it. */
async function readSubagent(
  store: TranscriptStore,
  input: HookInput,
  stateFolder: string,
  limit: number,
): Promise<string | undefined> {
  const transcript = subagentTranscript(input);
  if (transcript === undefined) return undefined;
  const path = statePath(stateFolder, transcript);
  const { recording, offset, exists } = await tailTranscript(transcript, input.sessionId, path, {
    maxBytes: limit,
    sizeThen: input.moment.sizeOf(transcript),
  });
  await writeDrafts(store, newChooser(store, input), recording.take());
  if (exists) await saveTailState(path, { offset, reader: recording.state });
  return recording.state.reasons.get(input.agentId ?? '');
}

/** Maximum age of a prompt in the transcript that counts as the prompt of the hook, in milliseconds. */
const SAME_MS = 10_000;

/**
 * Adds the prompt of the user, under the key by which the transcript finds it: its words, and how often
 * they were said before.
 */
async function recordPrompt(
  store: TranscriptStore,
  recording: Recording,
  input: HookInput,
  drafts: readonly EventDraft[],
): Promise<void> {
  const content = textAt(input.fields, 'prompt') ?? '';
  // The program submits notifications of tasks in the background, too.
  if (content.trim() === '' || isProgramText(content)) return;
  const hash = promptHash(content);
  const { at } = input.moment;
  if (drafts.some((draft) => isSame(draft, hash, at))) return;
  if (await isImported(store, input, hash)) return;
  let times = recording.state.prompts[hash] ?? 0;
  // Hooks may have recorded prompts that the transcript does not contain yet.
  const idOfTime = (): string =>
    idOf('claude-code', 'event', promptKey(input.sessionId, hash, times));
  while ((await store.knownEvents([idOfTime()])).size > 0) {
    // The call was stored before, by a process that did not come to delete it.
    const { timestamp } = await store.getEvent(idOfTime());
    if (input.moment.id !== undefined && timestamp === at.toISOString()) return;
    times += 1;
  }
  recording.session(input.sessionId);
  recording.add({
    type: 'user_message',
    key: promptKey(input.sessionId, hash, times),
    data: { content },
    meta: { hook: input.event, ...omitUndefined({ speaker: channelSpeaker(content) }) },
    timestamp: input.moment.at.toISOString(),
  });
}

type Prompt = Pick<EventDraft | MemoryEvent, 'data' | 'timestamp' | 'type'>;

function isSame({ type, data, timestamp }: Prompt, hash: string, at: Date): boolean {
  if (type !== 'user_message' || timestamp === undefined || !('content' in data)) return false;
  const apart = Math.abs(at.getTime() - Date.parse(timestamp));
  return apart < SAME_MS && promptHash(data.content) === hash;
}

/** Number of events in which a prompt is looked for. */
const NEWEST_EVENTS = 2000;

/** Checks whether an import has read the prompt while the call of the hook waited. */
async function isImported(
  store: TranscriptStore,
  { sessionId, moment: { at } }: HookInput,
  hash: string,
): Promise<boolean> {
  const id = sessionIdOf('claude-code', sessionId);
  const session = await store.getSession(id).catch(() => undefined);
  if (!session) return false;
  const after = Math.max(0, session.event_count - NEWEST_EVENTS);
  for await (const event of store.events(id, { type: 'user_message', after })) {
    const isOfTranscript = event.meta?.['hook'] === undefined;
    if (isOfTranscript && isSame(event, hash, at)) return true;
  }
  return false;
}

/** Adds the intention of a call that is about to change a file, with the current text of the file. */
function announceTool(recording: Recording, input: HookInput, tool: HookTool): void {
  const changes = changesOf(tool);
  if (changes.length === 0) return;
  for (const { path } of changes) {
    const absolute = absolutePath(path, input.cwd);
    recording.files.set(absolute, input.moment.textOf(absolute));
  }
  const { state } = recording;
  const call = state.calls.get(tool.id) ?? callOf(input, tool);
  // The call stays open: the transcript may never contain it, or opens it when the reader gets there.
  openCall(recording, call, changes, state.reasons.get(input.agentId ?? '') ?? '');
}

/** Adds the result of a call, with the text of the file before it if the earlier hook has recorded that. */
async function finishTool(
  store: TranscriptStore,
  recording: Recording,
  input: HookInput,
  tool: HookTool,
  failure: string | undefined,
): Promise<void> {
  const call = callOf(input, tool);
  const changes = changesOf(tool);
  const id = globalKey(input.sessionId, tool.id);
  let details: JsonValue | undefined = failure ?? tool.response;
  for (const change of changes) {
    const absolute = absolutePath(change.path, input.cwd);
    const before = await intendedText(store, idOf('claude-code', 'event', callKey.intention(id)));
    recording.files.set(absolute, before);
    if (before !== undefined || failure !== undefined || !isJsonObject(details)) continue;
    // The agent does not wait for this hook: the current text may be that of a later call.
    if ('updated_file' in details || changedText(change, undefined) !== undefined) continue;
    // Without the text before the call, only the current text can be recorded.
    const now = input.moment.textOf(absolute);
    const isTold = 'originalFile' in details && details['originalFile'] !== null;
    if (now !== undefined && !isTold) details = { ...details, updated_file: now };
  }
  const intentions = changes.map((_change, index) => callKey.intention(id, index));
  const opened = intentions.length > 0 ? { ...call, intentions } : call;
  const known = recording.state.calls.get(tool.id);
  const shown =
    tool.durationMs !== undefined && isJsonObject(details) && !('durationMs' in details)
      ? { ...details, durationMs: tool.durationMs }
      : details;
  const raw = { content: failure ?? null, is_error: failure !== undefined };
  const result = claudeResult({ id: tool.id, raw, details: shown });
  finishCall(recording, opened, result, 'claude-code', input.moment.at.toISOString());
  // The transcript closes the calls that it has opened.
  if (known && known.meta['hook'] === undefined) recording.state.calls.set(tool.id, known);
}

function changesOf({ name, input }: HookTool): readonly FileChange[] {
  return callFiles('claude-code', { tool: name, input }).changes;
}

function callOf(input: HookInput, tool: HookTool): OpenCall {
  const meta: JsonObject = {
    tool_use_id: tool.id,
    tool: tool.name,
    hook: input.event,
    ...(input.agentId === undefined ? {} : { agent_id: input.agentId }),
  };
  return {
    id: tool.id,
    tool: tool.name,
    input: tool.input,
    meta,
    ...(input.cwd === undefined ? {} : { cwd: input.cwd }),
    timestamp: input.moment.at.toISOString(),
  };
}

async function intendedText(store: TranscriptStore, id: string): Promise<string | undefined> {
  try {
    const { data } = await store.getEvent(id);
    return 'old_content' in data ? data.old_content : undefined;
  } catch {
    return undefined;
  }
}

/** Records a call of a hook, as the hooks of its agent want it. */
export async function recordCall(
  store: TranscriptStore,
  agent: TranscriptAgent,
  input: HookInput,
  options: RecordSettings,
): Promise<void> {
  await (agent === 'claude-code'
    ? recordHook(store, input, options)
    : followHook(store, agent, input, options));
}
