import { defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { globalKey, type FileChange } from '@vizprompt/providers/transcripts';
import { callKey } from './keys.ts';
import type { OpenCall } from './reader-state.ts';
import { announceChanges, finishChanges } from './record-changes.ts';
import type { Recording } from './recording.ts';

/** How a call ended. */
export interface CallOutcome {
  readonly success: boolean;
  readonly error?: string;
  /** What the tool gave. */
  readonly result: JsonValue;
  readonly timestamp?: string;
  readonly durationMs?: number;
  /** The changes as they were carried out, if the call changes files. */
  readonly changes: readonly FileChange[];
}

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
  // What was used went with the intention, and must not be counted again.
  const { usage: _usage, ...meta } = call.meta;
  const open = intentions.length > 0 ? { ...call, meta, intentions } : call;
  recording.state.calls.set(call.id, open);
  return intentions.at(-1);
}

/**
 * Adds what a call became: the edits of files, or else the use of the tool, and both where the texts
 * of a file are not known.
 *
 * @returns The key of the last event.
 */
export function closeCall(recording: Recording, call: OpenCall, outcome: CallOutcome): string {
  recording.state.calls.delete(call.id);
  const id = globalKey(recording.state.session?.sourceId ?? '', call.id);
  const { changes, success, error, timestamp } = outcome;
  if (changes.length > 0) {
    const ended = { success, ...defined({ error, timestamp }) };
    if (finishChanges(recording, call, changes, ended)) {
      return callKey.edit(id, changes.length - 1);
    }
  }
  const key = callKey.use(id);
  recording.add({
    type: 'tool_use',
    key,
    data: {
      tool: call.tool,
      parameters: call.input,
      result: outcome.result,
      success,
      ...defined({ duration_ms: durationOf(call, outcome) }),
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

/** Adds the calls of which the log holds no result. */
export function closeOpenCalls(recording: Recording): void {
  for (const call of recording.state.calls.values()) closeUntold(recording, call);
}

/** Adds a call of which the log holds no result, with all of its input: an intention says only a part of it. */
export function closeUntold(recording: Recording, call: OpenCall): void {
  const { state } = recording;
  state.calls.delete(call.id);
  const id = globalKey(state.session?.sourceId ?? '', call.id);
  const meta: JsonObject = { ...call.meta, no_result: true };
  recording.add({
    type: 'tool_use',
    key: callKey.open(id),
    data: { tool: call.tool, parameters: call.input },
    meta,
    ...defined({
      timestamp: call.timestamp,
      parent: call.parent,
      // A hook may have seen what became of the files.
      unlessWhole: call.intentions && callKey.edit(id, call.intentions.length - 1),
    }),
  });
}

function durationOf(call: OpenCall, outcome: CallOutcome): number | undefined {
  if (outcome.durationMs !== undefined) return Math.max(0, outcome.durationMs);
  if (call.timestamp === undefined || outcome.timestamp === undefined) return undefined;
  const between = Date.parse(outcome.timestamp) - Date.parse(call.timestamp);
  return between >= 0 ? between : undefined;
}
