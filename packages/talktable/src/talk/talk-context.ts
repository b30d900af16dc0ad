import type { Budget } from '@vizprompt/providers';
import type { TalkPlan } from '../config/plan.ts';
import type { TalkEvents } from '../events.ts';
import type { TalkLog } from '../log/talk-log.ts';
import type { ConversationManagerOptions } from '../options.ts';
import type { TalkState } from '../plan/talk-state.ts';
import type { TalkTurn } from '../talk-turn.ts';
import type { RunControl } from './control.ts';
import type { Table } from './seat.ts';

/** A finished turn that the log did not take. */
export interface UnwrittenTurn {
  readonly pending: TalkTurn;
  readonly ended: TalkTurn;
}

/** A person whose turn it is. */
interface AwaitedPerson {
  readonly speaker: string;
  answer(text: string): void;
}

/** All that the parts of a talk under way share. */
export interface TalkContext {
  readonly conversationId: string;
  readonly plan: TalkPlan;
  readonly table: Table;
  readonly state: TalkState;
  readonly log: TalkLog;
  readonly control: RunControl;
  readonly budgets: readonly Budget[];
  readonly options: ConversationManagerOptions;
  now(): string;
  emit<Name extends keyof TalkEvents>(name: Name, payload: TalkEvents[Name]): void;
  /** Settles when all that was to be written so far is: numbers are given one after the other. */
  writing: Promise<unknown>;
  /** Set while a person is waited for. */
  awaited: AwaitedPerson | undefined;
  /** Set when the log could not take a finished turn; it is written when the talk goes on. */
  unwritten: UnwrittenTurn | undefined;
}
