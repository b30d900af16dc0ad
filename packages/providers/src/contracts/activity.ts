import type { Budget } from '../models/budget.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { TurnRecorder } from './turn-recorder.ts';

/** The context of an {@link Activity} besides its input. */
export interface ActivityContext {
  /** The same for each repetition of one call: work that was done under it need not be redone. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Reports progress to listeners. */
  emit(name: string, payload: JsonObject): void;
  readonly budget?: Budget;
  readonly recorder?: TurnRecorder;
}

/**
 * A unit of work that may be repeated: a workflow that was interrupted runs it again with the same
 * `key`.
 */
export interface Activity<Input = unknown, Output = unknown> {
  readonly specVersion: 1;
  /** Unique among the activities that are registered together. */
  readonly name: string;
  /** JSON Schema of the input, checked before `run`. */
  readonly input?: JsonObject;
  /** JSON Schema of the output, checked after `run`. */
  readonly output?: JsonObject;
  run(input: Input, context: ActivityContext): Promise<Output>;
}
