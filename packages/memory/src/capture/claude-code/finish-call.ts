import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { closeCall } from '../calls.ts';
import { numberAt } from '../fields.ts';
import type { OpenCall } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import { withoutMedia } from './content.ts';
import { carriedOut, fileFacts, plannedChanges, readFile } from './plan-changes.ts';

/** How a call ended. */
export interface CallResult {
  readonly isError: boolean;
  /** What the program noted, in the form of each tool. */
  readonly details: JsonValue | undefined;
  /** What the model was told. */
  readonly content: JsonValue;
  readonly timestamp?: string;
}

/**
 * Adds what a call became.
 *
 * @returns The key of the last event.
 */
export function finishCall(recording: Recording, call: OpenCall, result: CallResult): string {
  const { isError, details, content, timestamp } = result;
  const object = isJsonObject(details) ? details : {};
  const changes = plannedChanges(call.tool, call.input).map((change) => carriedOut(change, object));
  const file = call.tool === 'Read' && !isError ? readFile(object) : undefined;
  if (file) recording.files.set(file.path, file.text);
  const shown =
    changes.length > 0 && isJsonObject(details) ? withoutTexts(details) : (details ?? content);
  return closeCall(recording, call, {
    success: !isError,
    error: textOf(typeof details === 'string' ? details : content),
    result: withoutMedia(shown),
    changes,
    facts: () => fileFacts(object),
    ...defined({
      timestamp,
      durationMs: numberAt(object, 'durationMs') ?? numberAt(object, 'totalDurationMs'),
    }),
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
