import type { JsonValue } from '@vizprompt/providers';
import type { ListenerCheck } from '@vizprompt/providers/config/internal';
import { listenerCheck } from './check-input.ts';
import type { TalkStatus, TalkTurn } from './log/conversation.ts';

/** The parts of a talk that a speaker was shown. Tokens are estimates. */
export interface ContextReport {
  readonly tokens: number;
  readonly budget: number;
  /** Turns that are in it as they were said, summaries among them. */
  readonly turns: number;
  /** Summaries that replace turns that are not in it. */
  readonly summaries: number;
  /** Turns that were at hand and found no room. */
  readonly leftOut: number;
  /** Turns that were cut in their middle. */
  readonly cut: number;
  readonly passages: number;
}

/** The state of a talk that is not in progress. */
export interface TalkResult {
  readonly conversationId: string;
  /** `done`: it came to its end. `paused` and `stopped` can be resumed. */
  readonly status: Exclude<TalkStatus, 'running' | 'failed'>;
  /** Why, such as `rounds: 3`. */
  readonly reason: string;
  /** Turns of participants so far. */
  readonly turns: number;
  /** Prompts and answers together, so far. */
  readonly tokens: number;
  /** US dollars so far, as far as the config has prices. */
  readonly costUsd: number;
}

/** A turn that is spoken of, by its number. */
export interface TurnPlace {
  readonly conversationId: string;
  readonly number: number;
  readonly speaker: string;
}

/** All events of a manager. */
export interface TalkEvents {
  'talk:started': { readonly conversationId: string; readonly topic: string };
  /** `turn` is asked for again, if one was in progress. */
  'talk:resumed': { readonly conversationId: string; readonly turn?: number };
  'talk:ended': TalkResult;
  /** It ended with an error, which `result()` and the iteration throw. It can be resumed. */
  'talk:failed': { readonly conversationId: string; readonly error: unknown };
  /** The row of the turn is written, the model will now be asked. */
  'turn:started': { readonly turn: TalkTurn; readonly context: ContextReport };
  /** A piece of what is said. */
  'turn:delta': TurnPlace & { readonly text: string };
  /** A call failed, or nothing came: the pieces so far are void, and it is asked again. */
  'turn:retried': TurnPlace & {
    readonly attempt: number;
    readonly waitMs: number;
    readonly error: unknown;
  };
  /** A participant has called a tool: what it said before in this turn is void. */
  'turn:called': TurnPlace & {
    readonly tool: string;
    readonly input: JsonValue;
    readonly output: JsonValue;
    readonly isError: boolean;
  };
  /** A person is to speak. */
  'turn:awaited': TurnPlace;
  /** The turn is in the log. */
  'turn:ended': { readonly turn: TalkTurn };
  /** The moderator, or `nextSpeaker`, named no one who may speak; the usual order decided. */
  'order:fell-back': {
    readonly conversationId: string;
    readonly speaker: string;
    readonly reason: string;
  };
  /** The moderator was asked whether the talk has come to its end. */
  'verdict:given': {
    readonly conversationId: string;
    readonly finished: boolean;
    readonly reason: string;
  };
  /** Nothing could be looked up; the turn continues without. */
  'knowledge:failed': { readonly conversationId: string; readonly error: unknown };
  /** A recorder that is not required failed. */
  'recorder:failed': { readonly conversationId: string; readonly error: unknown };
}

/** Refuses listeners of events that are not among these. */
export const checkListener: ListenerCheck = listenerCheck<TalkEvents>({
  'talk:started': true,
  'talk:resumed': true,
  'talk:ended': true,
  'talk:failed': true,
  'turn:started': true,
  'turn:delta': true,
  'turn:retried': true,
  'turn:called': true,
  'turn:awaited': true,
  'turn:ended': true,
  'order:fell-back': true,
  'verdict:given': true,
  'knowledge:failed': true,
  'recorder:failed': true,
});

/** The events of an iterated run, in the order in which they happen. */
export type TalkEvent =
  | ({ readonly type: 'turn:started' } & TalkEvents['turn:started'])
  | ({ readonly type: 'turn:delta' } & TalkEvents['turn:delta'])
  | ({ readonly type: 'turn:retried' } & TalkEvents['turn:retried'])
  | ({ readonly type: 'turn:called' } & TalkEvents['turn:called'])
  | ({ readonly type: 'turn:awaited' } & TalkEvents['turn:awaited'])
  | ({ readonly type: 'turn:ended' } & TalkEvents['turn:ended'])
  | ({ readonly type: 'talk:ended' } & TalkResult);
