import type { AgentCall } from './agent-call.ts';

/**
 * How the answers of a parallel step become one. Answers that failed take no part.
 *
 * - `vote`: the answer that most agents gave, as compared by `by` (a dotted path into answers that are objects;
 *   those without it abstain) or as text without case, width and white space around it; of equally many the
 *   first one
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
