import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type {
  AgentCall,
  Aggregate,
  AggregateName,
  InputVariables,
  OutputFormat,
  ParallelAgent,
} from './agent-call.ts';
import type { Duration, FailureMode, OnError, Retry, Timeout } from './policies.ts';

/** The properties of every step. */
export interface StepBase {
  /** Unique within its workflow, bodies of loops included. */
  readonly id: string;
  readonly description?: string;
  /** The step after this one, or `'end'`. Default: the next one of the list, and after the last the end. */
  readonly next_step?: string;
  /** CEL: where it is false, the step is left out; its variable keeps what it holds, or else is `null`. */
  readonly when?: string;
  readonly onError?: OnError;
}

/** One agent answers. */
export interface AgentStep extends StepBase, AgentCall {
  readonly type: 'agent_interaction';
}

/** Several agents answer at the same time, each with a prompt and a model of its own. */
export interface MultiAgentStep extends StepBase {
  readonly type: 'multi_agent_interaction';
  readonly agents_to_run: readonly ParallelAgent[];
  readonly failureMode?: FailureMode;
  /** Agents at a time. Default: all. */
  readonly maxConcurrency?: number;
  readonly aggregate?: Aggregate | AggregateName;
  /** The variable that holds what `aggregate` gives. */
  readonly output_variable?: string;
}

/** Goes to the first branch whose condition holds. */
export interface BranchStep extends StepBase {
  readonly type: 'branch';
  readonly branches: readonly {
    /** CEL. */
    readonly when: string;
    readonly next_step: string;
  }[];
  /** Where none holds. Default: `next_step`. */
  readonly else?: string;
}

/** Repeats its steps. Their variables are those of the step itself. */
export interface LoopStep extends StepBase {
  readonly type: 'loop';
  readonly steps: readonly Step[];
  /** CEL, asked after each round: where it is true, the loop is over. */
  readonly until?: string;
  /** After as many rounds it is over in any case. */
  readonly maxRounds: number;
  /**
   * Result if `until` is not true after the last round: the run continues (`'continue'`, the default), or the step
   * fails with the code `exhausted` (`'fail'`). In both cases `errors` holds it under the id of the step.
   */
  readonly onExhausted?: 'continue' | 'fail';
  /** The variable that holds the number of the round, from 1. Default: `'round'`. */
  readonly as?: string;
}

/** Does its steps for each item of a list, several at a time, each with variables of its own. */
export interface ForeachStep extends StepBase {
  readonly type: 'foreach';
  /** CEL that gives a list. */
  readonly in: string;
  /** The variable that holds the item. */
  readonly as: string;
  /** The variable that holds its place, from 0. */
  readonly indexAs?: string;
  readonly steps: readonly Step[];
  /** Items at a time. Default: 8. */
  readonly maxConcurrency?: number;
  readonly failureMode?: FailureMode;
  /** The dotted path of what an item gives. Default: the output variable of the last step of the list. */
  readonly result?: string;
  /** The variable that holds what the items give, in their order. */
  readonly output_variable?: string;
}

/** A chain of steps that runs in parallel with others, with variables of its own. */
export interface ParallelBranch {
  readonly steps: readonly Step[];
  /** The dotted path of what it gives. Default: the output variable of the last step of the list. */
  readonly result?: string;
}

/** Runs branches of any steps at the same time. The output is an object: what each branch gives, or `null`. */
export interface ParallelStep extends StepBase {
  readonly type: 'parallel';
  /** The branches by their names. */
  readonly branches: Readonly<Record<string, ParallelBranch>>;
  /**
   * The branches to wait for: all (`'all'`, the default), the first that succeeds (`'any'`), or that number of
   * successes.
   */
  readonly join?: 'all' | 'any' | number;
  /**
   * Result of a failed branch: the step fails (`'fail'`), or `errors` holds the reason and the others finish
   * (`'settle'`). Default: `'fail'` where all are waited for, else `'settle'`.
   */
  readonly errors?: 'fail' | 'settle';
  /** Branches at a time. Default: all. */
  readonly maxConcurrency?: number;
  readonly output_variable?: string;
}

/** A member of a team. Its prompt is given `team`: what was said so far, the notes, and who else there is. */
export interface TeamMember extends AgentCall {
  /**
   * Members that it may hand over to, by their names. Default: all others. Where the team has a supervisor, the others
   * hand over to no member by default: the next turn is the supervisor's.
   */
  readonly hands_over_to?: readonly string[];
}

/**
 * Agents that hand the work over to each other until one of them answers. A member hands over by calling the tool
 * `hand_over`, and writes notes that all members read by the tool `note`. The output is the last answer.
 */
export interface TeamStep extends StepBase {
  readonly type: 'team';
  /** The members by their names. */
  readonly members: Readonly<Record<string, TeamMember>>;
  /** The member that leads: after the turn of any other, it is its turn again. Default: the team hands over freely. */
  readonly supervisor?: string;
  /** The member that begins. Default: the supervisor, or else the first one. */
  readonly start?: string;
  /** Turns at most. Default: 12. */
  readonly maxTurns?: number;
  /**
   * Result if the last turn hands over, too: the output is what was said last (`'continue'`), or the step fails with the
   * code `exhausted` (`'fail'`, the default). With `'continue'`, `errors` holds it under the id of the step.
   */
  readonly onExhausted?: 'continue' | 'fail';
  /** The variable that holds the last answer. */
  readonly output_variable?: string;
  /** The variable that holds the notes of the team, an object, at the end. */
  readonly notes_variable?: string;
}

/** A step that works on named inputs, and gives an output. */
interface WorkStep extends StepBase {
  readonly input_variables?: InputVariables;
  readonly output_variable?: string;
  readonly retry?: string | Retry;
  readonly timeout?: string | Timeout;
}

/** Calls a function of the engine. */
export interface FunctionStep extends WorkStep {
  readonly type: 'function';
  readonly function: string;
}

/** Runs a tool of the engine. */
export interface ToolStep extends WorkStep {
  readonly type: 'tool';
  readonly tool: string;
}

/** Runs an activity of the engine, such as a moderated talk. */
export interface ActivityStep extends WorkStep {
  readonly type: 'activity';
  readonly activity: string;
}

/** Looks passages up. The output is a list of passages. */
export interface RetrieveStep extends StepBase {
  readonly type: 'retrieve';
  readonly retriever: string;
  /** The dotted path of the question. */
  readonly query: string;
  /** Passages at most. Default: 5. */
  readonly limit?: number;
  /** @deprecated The former name of `limit`. */
  readonly k?: number;
  readonly filter?: Readonly<Record<string, JsonValue>>;
  readonly output_variable?: string;
  readonly retry?: string | Retry;
  readonly timeout?: string | Timeout;
}

/** Waits for a person, for as long as it takes. */
export interface HumanStep extends StepBase {
  readonly type: 'human';
  /** The question, a prompt of the prompt set. */
  readonly prompt_id: string;
  readonly input_variables?: InputVariables;
  readonly output_variable?: string;
  /** The form of the answer. Default: any JSON. */
  readonly output?: Pick<OutputFormat, 'schema'>;
  /** How long it waits, as `total`; then the step fails. */
  readonly timeout?: string | Timeout;
}

/** Runs another workflow with a budget, a journal and limits in common. */
export interface SubflowStep extends StepBase {
  readonly type: 'subflow';
  readonly workflow: string;
  /** They make the other's `user_input`: an object, or what is called `user_input` where it is the only one. */
  readonly input_variables?: InputVariables;
  readonly output_variable?: string;
}

/** Waits. */
export interface SleepStep extends StepBase {
  readonly type: 'sleep';
  readonly duration?: Duration;
  /** The dotted path of a time (ISO 8601), instead of `duration`. */
  readonly until?: string;
}

/** A step of a workflow. */
export type Step =
  | AgentStep
  | MultiAgentStep
  | BranchStep
  | LoopStep
  | ForeachStep
  | ParallelStep
  | TeamStep
  | FunctionStep
  | ToolStep
  | ActivityStep
  | RetrieveStep
  | HumanStep
  | SubflowStep
  | SleepStep;

/** The variables of a run. `user_input` and `errors` are its own; steps set the others. */
export type Variables = JsonObject;
