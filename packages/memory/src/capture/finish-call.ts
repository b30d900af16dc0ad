import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { callFiles, type TranscriptResult } from '@vizprompt/providers/transcripts';
import { closeCall } from './calls.ts';
import { shownOutput, withoutMedia } from './media.ts';
import type { OpenCall } from './reader-state.ts';
import type { Recording } from './recording.ts';

/**
 * Adds what a call became.
 *
 * @returns The key of the last event; `undefined` if the result is not the one that the call waits for.
 */
export function finishCall(
  recording: Recording,
  call: OpenCall,
  part: TranscriptResult,
  timestamp: string | undefined,
): string | undefined {
  const { changes, read } = callFiles(recording.agent, call, part);
  if (part.isOfFiles === true && changes.length === 0) return undefined;
  if (read) recording.files.set(read.path, read.text);
  const { details, durationMs, success } = part;
  const output = shownOutput(part.output === undefined ? '' : part.output);
  const shown =
    changes.length > 0 && isJsonObject(details) ? withoutTexts(details) : (details ?? output);
  return closeCall(recording, call, {
    success,
    error: part.error ?? textOf(typeof details === 'string' ? details : output),
    result: withoutMedia(shown),
    changes,
    ...defined({ timestamp, durationMs }),
  });
}

/** The details of an edit beside the texts that the edit's own event holds. */
function withoutTexts(details: JsonObject): JsonObject {
  const { structuredPatch: _patch, originalFile: _file, content: _content, ...rest } = details;
  return rest;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
