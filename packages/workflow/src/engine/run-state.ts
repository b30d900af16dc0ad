import type { ErrorJson, JsonObject, JsonValue, Usage } from '@vizprompt/providers';
import type { Variables } from '../definition/step.ts';
import type { RunStatus } from '../options.ts';

/** A run in a list. */
export interface RunSummary {
  readonly id: string;
  readonly workflow: string;
  readonly promptSet: string;
  readonly status: RunStatus;
  readonly output?: JsonValue;
  readonly error?: ErrorJson;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The run that it was forked from. */
  readonly forkedFrom?: string;
}

/** A run with all that is known of it. */
export interface RunState extends RunSummary {
  readonly input: JsonValue;
  /** As far as it has come. */
  readonly variables: Variables;
  /** In the order in which they ended. */
  readonly steps: readonly FinishedStep[];
  /** What persons are asked at present. */
  readonly waiting: readonly OpenQuestion[];
  readonly usage: Usage;
  /** US dollars, where the prices of the models are known. */
  readonly costUsd?: number;
  /** The SHA-256 of its definition. */
  readonly definitionHash: string;
}

/** A step that ended. */
export interface FinishedStep {
  readonly path: string;
  readonly stepId: string;
  /** Such as `agent_interaction`. */
  readonly type: string;
  readonly output: JsonValue;
  /** It failed, and its workflow dealt with that. */
  readonly error?: ErrorJson;
  readonly model?: string;
  readonly usage?: Usage;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
}

/** A question that is open. */
export interface OpenQuestion {
  readonly path: string;
  readonly stepId: string;
  readonly question: string;
  /** What the answer has to be. */
  readonly schema?: JsonObject;
  /** ISO 8601. */
  readonly askedAt: string;
  /** After this it is too late. */
  readonly until?: string;
}
