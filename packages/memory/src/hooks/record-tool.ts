import { readFile, stat } from 'node:fs/promises';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { callFiles, type FileChange } from '@vizprompt/providers/transcripts';
import { absolutePath, claudeResult, globalKey } from '@vizprompt/providers/transcripts/internal';
import { finishCall, openCall } from '../capture/calls.ts';
import { callKey, idOf } from '../capture/keys.ts';
import type { OpenCall } from '../capture/reader-state.ts';
import type { Recording } from '../capture/recording.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { HookInput, HookTool } from './hook-input.ts';

/** Larger files are not read for a hook. */
const MAX_FILE = 8 << 20;

/** Adds the intention of a call that is about to change a file, with the text that stands there. */
export async function announceTool(
  recording: Recording,
  input: HookInput,
  tool: HookTool,
): Promise<void> {
  const changes = changesOf(tool);
  if (changes.length === 0) return;
  for (const { path } of changes) {
    const absolute = absolutePath(path, input.cwd);
    recording.files.set(absolute, await textOf(absolute));
  }
  const { state } = recording;
  const call = state.calls.get(tool.id) ?? callOf(input, tool);
  // It stays open: the transcript may never tell of it, or open it by itself when it comes to it.
  openCall(recording, call, changes, state.reasons.get(input.agentId ?? '') ?? '');
}

/** Adds what a call became, with the text that stood there before if its hook has noted it. */
export async function finishTool(
  store: MemoryStore,
  recording: Recording,
  input: HookInput,
  tool: HookTool,
  failure: string | undefined,
): Promise<void> {
  const call = callOf(input, tool);
  const changes = changesOf(tool);
  const id = globalKey(input.sessionId, tool.id);
  let details: JsonValue | undefined = failure ?? tool.response;
  for (const { path } of changes) {
    const absolute = absolutePath(path, input.cwd);
    const before = await intendedText(store, idOf('claude-code', 'event', callKey.intention(id)));
    recording.files.set(absolute, before);
    if (before !== undefined || failure !== undefined || !isJsonObject(details)) continue;
    // Without the text before, what stands there now is all that can be told.
    const now = await textOf(absolute);
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
  finishCall(recording, opened, result, 'claude-code', new Date().toISOString());
  // What the transcript has opened it closes by itself.
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
    timestamp: new Date().toISOString(),
  };
}

async function intendedText(store: MemoryStore, id: string): Promise<string | undefined> {
  try {
    const { data } = await store.getEvent(id);
    return 'old_content' in data ? data.old_content : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > MAX_FILE) return undefined;
    const bytes = await readFile(path);
    const text = bytes.toString('utf8');
    // Other bytes are no text, and would not come back the same.
    return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
  } catch {
    return undefined;
  }
}
