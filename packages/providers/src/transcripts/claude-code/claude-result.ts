import { numberAt, objectOf } from '../../json/fields.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptResult } from '../model/entry.ts';

/** The facts of a result of one of Claude Code's tools. */
export interface ClaudeResultFacts {
  /** The id of the call. */
  readonly id: string;
  readonly success: boolean;
  readonly output: JsonValue;
  /** `toolUseResult` of a transcript, or the response that a hook receives. */
  readonly details: JsonValue | undefined;
  readonly raw: JsonValue;
}

/** Returns the result of a call of one of Claude Code's tools, as a line or a hook has it. */
export function claudeResult({ details, ...facts }: ClaudeResultFacts): TranscriptResult {
  const object = objectOf(details);
  const durationMs = numberAt(object, 'durationMs') ?? numberAt(object, 'totalDurationMs');
  return { type: 'tool-result', ...facts, ...omitUndefined({ details, durationMs }) };
}
