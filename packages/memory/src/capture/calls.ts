import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import {
  callFiles,
  type FileChange,
  type TranscriptAgent,
  type TranscriptResult,
} from '@vizprompt/providers/transcripts';
import { globalKey } from '@vizprompt/providers/transcripts/internal';
import { callKey } from './keys.ts';
import { shownOutput, withoutMedia } from './media.ts';
import type { OpenCall } from './reader-state.ts';
import { announceChanges, finishChanges } from './record-changes.ts';
import type { Recording } from './recording.ts';
import { asksMemory, broughtBack, omittedResult, savedOutput, wholeOutput } from './tool-output.ts';

/**
 * Opens a call: the files that it is going to change are announced, anything else waits for the result.
 *
 * @returns The key of the last intention, if there is one.
 */
export function openCall(
  recording: Recording,
  call: OpenCall,
  changes: readonly FileChange[],
  reason: string,
): string | undefined {
  const intentions = announceChanges(recording, call, changes, reason);
  // The usage went with the intention, and must not be counted again.
  const { usage: _usage, ...meta } = call.meta;
  const open = intentions.length > 0 ? { ...call, meta, intentions } : call;
  recording.state.calls.set(call.id, open);
  return intentions.at(-1);
}

/**
 * Adds what a call became: the edits of files, or else the use of the tool, and both where the texts
 * of a file are not known.
 *
 * @returns The key of the last event; `undefined` if the result is not the one that the call waits for.
 */
export function finishCall(
  recording: Recording,
  call: OpenCall,
  part: TranscriptResult,
  agent: TranscriptAgent,
  timestamp: string | undefined,
): string | undefined {
  const { changes, read } = callFiles(agent, call, part);
  if (part.isOfFiles === true && changes.length === 0) return undefined;
  if (read) recording.files.set(read.path, read.text);
  recording.state.calls.delete(call.id);
  const id = globalKey(recording.origin, call.id);
  const { success } = part;
  const { beside } = recording;
  const details =
    part.details === undefined ? undefined : savedOutput(wholeOutput(part.details, beside), beside);
  const given = part.output === undefined ? '' : part.output;
  // Details come before the output: the file of a long one is read for one of them only.
  const shown = shownOutput(
    (details ?? undefined) === undefined ? savedOutput(given, beside) : given,
  );
  const output = broughtBack(shown, recording.files);
  const error = part.error ?? textOf(typeof details === 'string' ? details : output);
  if (changes.length > 0) {
    const isWhole = finishChanges(recording, call, changes, { success, error, timestamp });
    if (isWhole) return callKey.edit(id, changes.length - 1);
  }
  const result =
    changes.length > 0 && isJsonObject(details) ? withoutTexts(details) : (details ?? output);
  const key = callKey.use(id);
  const isOwn = asksMemory(
    call.tool,
    call.input,
    call.meta['server'] === undefined ? null : call.meta,
  );
  recording.add({
    type: 'tool_use',
    key,
    data: {
      tool: call.tool,
      parameters: withoutMedia(call.input),
      result: isOwn ? omittedResult(result) : withoutMedia(result),
      success,
      ...defined({ duration_ms: durationOf(call, part, timestamp) }),
    },
    meta: call.meta,
    ...defined({
      timestamp,
      parent: call.parent,
      unlessWhole: changes.length > 0 ? callKey.edit(id) : undefined,
    }),
  });
  return key;
}

/** Returns the details of an edit next to the texts that the edit's own event holds. */
function withoutTexts(details: JsonObject): JsonObject {
  const { structuredPatch: _patch, originalFile: _file, content: _content, ...rest } = details;
  return rest;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Adds the calls of which the log holds no result. */
export function closeOpenCalls(recording: Recording): void {
  for (const call of recording.state.calls.values()) closeUntold(recording, call);
}

/** Adds a call of which the log holds no result, with all of its input: an intention says only a part of it. */
export function closeUntold(recording: Recording, call: OpenCall): void {
  const { state } = recording;
  state.calls.delete(call.id);
  const id = globalKey(recording.origin, call.id);
  const meta: JsonObject = { ...call.meta, no_result: true };
  recording.add({
    type: 'tool_use',
    key: callKey.open(id),
    data: { tool: call.tool, parameters: withoutMedia(call.input) },
    meta,
    ...defined({
      timestamp: call.timestamp,
      parent: call.parent,
      // A hook may have seen what became of the files.
      unlessWhole: call.intentions && callKey.edit(id, call.intentions.length - 1),
    }),
  });
}

function durationOf(
  call: OpenCall,
  { durationMs }: TranscriptResult,
  timestamp: string | undefined,
): number | undefined {
  if (durationMs !== undefined) return Math.max(0, durationMs);
  if (call.timestamp === undefined || timestamp === undefined) return undefined;
  const between = Date.parse(timestamp) - Date.parse(call.timestamp);
  return between >= 0 ? between : undefined;
}
