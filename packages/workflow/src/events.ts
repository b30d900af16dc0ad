import type { JsonValue, Spending, Usage } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import type { ListenerCheck } from '@vizprompt/providers/config/internal';
import { listenerCheck } from './check-options.ts';

/** Where something happened. */
export interface StepPlace {
  readonly runId: string;
  /** The place in the run, such as `refine#1/2/draft#1/critic`: unique, and the same after a resume. */
  readonly path: string;
  /** The id of the step in the file. */
  readonly stepId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The place of an event of a whole run. */
interface RunPlace {
  readonly runId: string;
  readonly at: string;
}

/** The events of a {@link WorkflowEngine}, by name. */
export interface WorkflowEvents {
  'run:started': RunPlace & { readonly workflow: string; readonly isResumed: boolean };
  'run:ended': RunPlace & {
    readonly status: 'done' | 'failed' | 'cancelled';
    readonly output?: JsonValue;
    readonly error?: ErrorJson;
  };
  'step:started': StepPlace & {
    /** Such as `agent_interaction`. */
    readonly stepType: string;
    readonly agent?: string;
    readonly model?: string;
  };
  /** A piece of an answer. After `step:retried` and `step:fell-back` the answer begins again. */
  'step:delta': StepPlace & { readonly kind: 'text' | 'reasoning'; readonly text: string };
  'step:ended': StepPlace & {
    readonly output: JsonValue;
    /** From the journal: it was not done again. */
    readonly isReplayed: boolean;
    readonly usage?: Usage;
    readonly model?: string;
    /** `'length'`: the limit of tokens cut the answer off, and the step allows that. */
    readonly finishReason?: string;
    /** Milliseconds. */
    readonly ms: number;
  };
  'step:failed': StepPlace & { readonly error: ErrorJson };
  'step:skipped': StepPlace;
  /** The rounds of a loop are used up, and its `until` is not true. */
  'step:exhausted': StepPlace & { readonly rounds: number };
  /** A member of a team hands over to another one. */
  'step:handed-over': StepPlace & {
    readonly from: string;
    readonly to: string;
    readonly message: JsonValue;
  };
  'step:retried': StepPlace & {
    /** The attempt that comes, from 2. */
    readonly attempt: number;
    /** Milliseconds until it begins. */
    readonly waitMs: number;
    readonly error: ErrorJson;
  };
  'step:fell-back': StepPlace & {
    readonly from: string;
    readonly to: string;
    readonly error: ErrorJson;
  };
  /** An agent calls a tool. */
  'tool:started': StepPlace & { readonly tool: string; readonly input: JsonValue };
  /** A tool returned its output or failed. */
  'tool:ended': StepPlace & {
    readonly tool: string;
    readonly output: JsonValue;
    readonly isError: boolean;
    /** From the journal: it was not called again. */
    readonly isReplayed: boolean;
  };
  /** A person is asked; `answer(runId, value, { path })` continues. */
  'step:waiting': StepPlace & { readonly question: string };
  'step:answered': StepPlace & { readonly value: JsonValue };
  /** An event that an activity emitted. */
  'step:emitted': StepPlace & { readonly name: string; readonly payload: JsonValue };
  'budget:reserved': StepPlace & { readonly spending: Spending; readonly remaining: Spending };
  'budget:settled': StepPlace & { readonly spending: Spending; readonly remaining: Spending };
  'recorder:failed': RunPlace & { readonly error: ErrorJson };
}

/** Refuses listeners of events that are not among these. */
export const checkListener: ListenerCheck = listenerCheck<WorkflowEvents>({
  'run:started': true,
  'run:ended': true,
  'step:started': true,
  'step:delta': true,
  'step:ended': true,
  'step:failed': true,
  'step:skipped': true,
  'step:exhausted': true,
  'step:handed-over': true,
  'step:retried': true,
  'step:fell-back': true,
  'tool:started': true,
  'tool:ended': true,
  'step:waiting': true,
  'step:answered': true,
  'step:emitted': true,
  'budget:reserved': true,
  'budget:settled': true,
  'recorder:failed': true,
});

/** Listeners by the names of events: those that are given as an option hear every run from its beginning. */
export type WorkflowListeners = {
  readonly [Name in keyof WorkflowEvents]?: ((event: WorkflowEvents[Name]) => void) | undefined;
};

/** An event of a run, as its iterable gives it. */
export type RunEvent = {
  [Name in keyof WorkflowEvents]: { readonly type: Name } & WorkflowEvents[Name];
}[keyof WorkflowEvents];
