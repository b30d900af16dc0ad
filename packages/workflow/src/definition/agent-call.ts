import type { JsonObject } from '@vizprompt/providers';
import type { Retry, Timeout } from './policies.ts';

/** The names in a prompt, each with the dotted path of its variable. */
export type InputVariables = Readonly<Record<string, string>>;

/** The form that an answer must have. */
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
  /**
   * True to accept an answer that the limit of tokens truncated; `step:ended` and the journal then report it. Default:
   * `false`, the attempt fails. Empty answers, and those that a filter held back, never count.
   */
  readonly allowTruncated?: boolean;
  /**
   * Tools that the agent may call before it answers: `name` of the engine, `mcp:server/tool`, `mcp:server` (all of its tools),
   * `flow:workflow`, `retrieve:retriever`.
   */
  readonly tools?: readonly (string | AgentTool)[];
  /** Answers that may call tools, before the one that calls none. Default: 8. */
  readonly maxToolRounds?: number;
}

/** A tool of an agent, with what is allowed. */
export interface AgentTool {
  /** As in `tools`. */
  readonly tool: string;
  /**
   * Approval of each call by a person: `'always'`, `'never'` (the default), or where a condition (CEL) over `tool` and
   * `input` holds. A call that is refused is an error for the model.
   */
  readonly approve?: 'always' | 'never' | { readonly when: string };
  /** Calls at most, in all rounds of the step. Default: no limit. */
  readonly maxCalls?: number;
  /** A name of `use.timeouts`, or the times of a call. */
  readonly timeout?: string | Timeout;
}

/** One of several agents that work at the same time. */
export interface ParallelAgent extends AgentCall {
  /** For `weightedVote` and `rankFusion`. Default: 1. */
  readonly weight?: number;
}

/**
 * How the answers of a parallel step become one. Answers that failed take no part.
 *
 * - `vote`: the answer that most agents gave, as compared by `by` (a dotted path into answers that are objects;
 *   those without it abstain) or as text without case, width, and punctuation and white space around it; of
 *   equally many the first one
 * - `weightedVote`: the same with the weights of the agents
 * - `judge`: an agent reads them all (the variable `answers`, a list of `{ number, agent, answer }`) and gives
 *   the result
 * - `bestOf`: an agent names the best one (`answers`, and it answers with its number from 1), which is the result
 * - `rankFusion`: answers are lists; the result is one, by reciprocal rank fusion with the constant `k`. Items are
 *   the same as answers are in a vote.
 * - `concat`: one text, with `separator` (default: an empty line) between the answers
 * - `mergeSchema`: one object, keys of later answers in place of earlier ones unless they are `null`; lists are
 *   joined, objects within objects merged in the same way
 * - `firstSuccess`: the first answer that is there; the others are stopped
 */
export type Aggregate =
  | { readonly strategy: 'vote'; readonly by?: string }
  | { readonly strategy: 'weightedVote'; readonly by?: string }
  | ({ readonly strategy: 'judge' } & AgentCall)
  | ({ readonly strategy: 'bestOf' } & AgentCall)
  | {
      readonly strategy: 'rankFusion';
      readonly k?: number;
      readonly by?: string;
      readonly top?: number;
    }
  | { readonly strategy: 'concat'; readonly separator?: string }
  | { readonly strategy: 'mergeSchema' }
  | { readonly strategy: 'firstSuccess' };

/** Aggregates that need nothing but their name. */
export type AggregateName = Exclude<Aggregate['strategy'], 'judge' | 'bestOf'>;
