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
  /**
   * Layers around the model of each call, the first one outermost: `openTelemetry`, `redact`, `record` ... They
   * are below the retries, fallbacks, budgets and limits of the engine.
   */
  readonly layers?: (place: ModelCallPlace) => readonly Middleware[];
  /** For roles that name no model. */
  readonly defaultModel?: string;
  /** Where runs are kept. Without it they live as long as the engine. It stays open. */
  readonly storage?: Storage;
  readonly functions?: Readonly<Record<string, WorkflowFunction>>;
  readonly tools?: readonly RunnableTool[];
  readonly retrievers?: Readonly<Record<string, Retriever>>;
  readonly activities?: readonly Activity[];
  /** Keep runs elsewhere too, such as in a VizPrompt project or in a memory. */
  readonly recorders?: readonly (TurnRecorder | WorkflowRecorder)[];
  /** US dollars of a million tokens, by the id of the model; needed where the cost is limited. */
  readonly prices?: PriceTable;
  readonly concurrency?: Concurrency;
  readonly retention?: Retention;
  /** Is told of listeners that fail. Default: a silent one. */
  readonly logger?: Logger;
  /** Default: the time of the machine. */
  readonly now?: () => Date;
  /** Ids of runs. Default: UUIDs of version 7. */
  readonly newId?: () => string;
}

/** Options of `start`. */
export interface StartOptions {
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** A budget that the run shares with others; the workflow's own limits stand beside it. */
  readonly budget?: Budget;
  /** Default: a new id. */
  readonly runId?: string;
}
