import type { JsonObject } from '@vizprompt/providers';
import type { Retry, Timeout } from './policies.ts';

/** What a prompt may use: its names, and the dotted paths of the variables that they stand for. */
export type InputVariables = Readonly<Record<string, string>>;

/** What an answer has to be. */
export interface OutputFormat {
  /** A JSON Schema; the output is the parsed value instead of the text. */
  readonly schema: JsonObject;
  /** How often the model is shown what was wrong and asked again. Default: 1. */
  readonly repair?: number;
}

/** An agent is given a prompt. */
export interface AgentCall {
  /** A role of the prompt set. */
  readonly agent_id: string;
  /** A prompt of the prompt set. */
  readonly prompt_id: string;
  readonly input_variables?: InputVariables;
  /** The variable that holds the answer. */
  readonly output_variable?: string;
  /** Instead of the role's model: a name of `use.models`, or `provider:model`. */
  readonly model?: string;
  /** Models that are asked in turn where the one before cannot answer. */
  readonly fallback?: readonly string[];
  /** A name of `use.retries`, or the rules themselves. */
  readonly retry?: string | Retry;
  /** A name of `use.timeouts`, or the times themselves. */
  readonly timeout?: string | Timeout;
  readonly output?: OutputFormat;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

/** One of several agents that work at the same time. */
export interface ParallelAgent extends AgentCall {
  /** For `weightedVote` and `rankFusion`. Default: 1. */
  readonly weight?: number;
}
