import type {
  Activity,
  Budget,
  ChatModel,
  JsonObject,
  JsonValue,
  Logger,
  ModelRegistry,
  Retriever,
  Storage,
  TurnRecorder,
} from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { Middleware, PriceTable } from '@vizprompt/providers/middleware';
import type { WorkflowFile } from './definition/workflow-file.ts';
import type { WorkflowRuntime } from './runtime/durable-runtime.ts';

/** What a function of a workflow knows beside its input. */
export interface FunctionContext {
  readonly runId: string;
  /** Unique and the same in every attempt: for what must not be done twice. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** A function that steps of the type `function` call. */
export type WorkflowFunction = (
  input: JsonObject,
  context: FunctionContext,
) => JsonValue | Promise<JsonValue>;

/** A recorder, and whether runs depend on it. */
export interface WorkflowRecorder {
  readonly recorder: TurnRecorder;
  /** Whether a failure ends the run instead of being an event. Default: `false`. */
  readonly required?: boolean;
}

/** A file by its path, or what it would hold. */
export type WorkflowSource = string | URL | WorkflowFile;

/** How many runs are kept. */
export interface Retention {
  /** Ended runs that are kept, the newest. */
  readonly keepLast?: number;
  /** Ended runs that are older go, in milliseconds or as a text such as `'30d'`. */
  readonly maxAge?: number | string;
}

/** How much happens at a time. */
export interface Concurrency {
  /** Calls of models, functions, tools, retrievers and activities, of all runs. Default: 64. */
  readonly total?: number;
  /** Calls of models of a provider, such as `{ ollama: 1 }`. Default: no limit of their own. */
  readonly providers?: Readonly<Record<string, number>>;
}

/** From where a model is called. */
export interface ModelCallPlace {
  readonly runId: string;
  /** The place in the run, as in events. */
  readonly path: string;
  /** The id of the step in the file. */
  readonly stepId: string;
  /** The role that the model plays. */
  readonly agent: string;
}

/** Options of `WorkflowEngine.open`. */
export interface WorkflowEngineOptions {
  /** Workflows, and prompts that stand beside them. */
  readonly files: WorkflowSource | readonly WorkflowSource[];
  /** Prompt sets by name. Where `files` hold prompts, they are the set `default`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>>;
  /** Makes models by name. Default: `createModelRegistry()`. */
  readonly models?: ModelRegistry | Readonly<Record<string, ChatModel>>;
  /** For roles that name no model. */
  readonly defaultModel?: string;
  /** Where runs are kept. Without it they live as long as the engine. It stays open. */
  readonly storage?: Storage;
  /**
   * Who leads the runs, such as `dbos({ url })` of `@vizprompt/workflow/dbos`; it keeps them too, so `storage` is left
   * out. Default: this process.
   */
  readonly runtime?: WorkflowRuntime;
  /** What steps of the type `function` call, by name. */
  readonly functions?: Readonly<Record<string, WorkflowFunction>>;
  /** What steps of the type `tool` call. */
  readonly tools?: readonly RunnableTool[];
  /** What steps of the type `retrieve` ask, by name. */
  readonly retrievers?: Readonly<Record<string, Retriever>>;
  /** What steps of the type `activity` do, such as `conversationActivity(...)`. */
  readonly activities?: readonly Activity[];
  /** Keep runs elsewhere too, such as in a VizPrompt project or in a memory. */
  readonly recorders?: readonly (TurnRecorder | WorkflowRecorder)[];
  /** US dollars of a million tokens, by the id of the model without its provider; needed where the cost is limited. */
  readonly prices?: PriceTable;
  /**
   * Layers around the model of each call, the first one outermost, such as `openTelemetry()`; or a function that
   * gives those of a call. They are below the retries, fallbacks, budgets, time limits and queues of the engine.
   */
  readonly middleware?: readonly Middleware[] | ((place: ModelCallPlace) => readonly Middleware[]);
  /** How much happens at a time. */
  readonly concurrency?: Concurrency;
  /** How many ended runs are kept. Default: all. */
  readonly retention?: Retention;
  /** Is told of listeners that fail. Default: a silent one. */
  readonly logger?: Logger;
  /** Default: `() => new Date()`. */
  readonly clock?: () => Date;
  /** Makes the ids of runs. Default: UUIDs of version 7. */
  readonly createId?: () => string;
}

/** Options of `resume`. */
export interface ResumeOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** A budget that the run shares with others; the workflow's own limits stand beside it. */
  readonly budget?: Budget;
}

/** Options of `start`. */
export interface StartOptions extends ResumeOptions {
  /** Which prompts are used. Default: `'default'`, or the only one. */
  readonly promptSet?: string;
  /** The id of the run. Default: a new id. */
  readonly runId?: string;
}

/** What is different in a run that is forked. */
export interface ForkChanges {
  /** Variables that are set before the step; `user_input` is one, too. */
  readonly variables?: JsonObject;
  /** Prompts in place of those of the same id. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Models in place of others: their names, as they stand in files, and what they stand for now. */
  readonly models?: Readonly<Record<string, string>>;
  /** What the step gives, instead of being done again. */
  readonly output?: JsonValue;
}

/** Options of `fork`. */
export interface ForkOptions extends ResumeOptions {
  /** The id of the run. Default: a new id. */
  readonly runId?: string;
}

/** Which runs `runs` lists. */
export interface RunsQuery {
  readonly status?: RunStatus;
  /** Runs at most. Default: 100. */
  readonly limit?: number;
  /** The id of the last run of the list before. Behind one that is not there, there are none. */
  readonly after?: string;
}

/** How far a run has come. `waiting`: a person is asked; what does not need the answer goes on. */
export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';
