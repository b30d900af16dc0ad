import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Limits, Retry, Timeout } from './policies.ts';
import type { Step } from './step.ts';

/** The character of an agent. */
export interface AgentRole {
  readonly system_prompt: string;
  readonly description?: string;
  /** A name of `use.models`, or `provider:model`. Default: the default model of the engine. */
  readonly model?: string;
}

/** Roles and prompts; a workflow runs with any set that has those it names. */
export interface PromptSet {
  readonly agent_roles: Readonly<Record<string, AgentRole>>;
  /** Liquid templates. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** A part that has a name and can be used by several steps. */
export interface Named {
  readonly retries?: Readonly<Record<string, Retry>>;
  readonly timeouts?: Readonly<Record<string, Timeout>>;
  readonly models?: Readonly<Record<string, string>>;
  /** Servers of the Model Context Protocol, for `tools` of agents: `mcp:NAME/TOOL`. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

/** A flow of steps. */
export interface WorkflowDefinition {
  readonly description?: string;
  /** Default: the first one of the list. */
  readonly initial_step?: string;
  /** A JSON Schema of `user_input`. */
  readonly inputs?: JsonObject;
  /** The dotted path of what the run gives. Default: the output of the step that ran last. */
  readonly output?: string;
  readonly limits?: Limits;
  /**
   * `'by-data'`: in each list, steps run side by side, each as soon as the steps whose variables it takes have ended.
   * Such a workflow has no branches and no `next_step`; `when` leaves steps out. Default: `'listed'`, one after the other.
   */
  readonly order?: 'listed' | 'by-data';
  readonly steps: readonly Step[];
}

/** The content of a file: workflows, a prompt set, or both. */
export interface WorkflowFile extends Partial<PromptSet> {
  readonly $schema?: string;
  /** The version of the format. Version 1 has no keys but those of agents, prompts and their order. Default: 2. */
  readonly version?: 1 | 2;
  readonly use?: Named;
  readonly workflows?: Readonly<Record<string, WorkflowDefinition>>;
  /** Schedules by name; `startSchedules` starts their runs by the clock. */
  readonly schedules?: Readonly<Record<string, Schedule>>;
  /** Webhooks by name: other services call `POST /hooks/NAME` of `createWorkflowHandler`. */
  readonly webhooks?: Readonly<Record<string, Webhook>>;
}

/** A file by its path, or what it would hold. */
export type WorkflowSource = string | URL | WorkflowFile;

/** The content of all files together. */
export interface Definitions {
  readonly workflows: Readonly<Record<string, WorkflowDefinition>>;
  readonly promptSets: Readonly<Record<string, PromptSet>>;
  readonly use: Named;
  readonly schedules: Readonly<Record<string, Schedule>>;
  readonly webhooks: Readonly<Record<string, Webhook>>;
}

/** A program that is started and spoken to by its standard input and output. */
interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables of its environment, besides those that every program needs; `${NAME}` is one of this process, `${NAME:-default}` one that may be absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory. Default: that of this process. */
  readonly cwd?: string;
}

/** A server that is there already. */
interface HttpServer {
  readonly url: string;
  /** Headers of requests; `${NAME}` is a variable of the environment of this process, `${NAME:-default}` one that may be absent. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server of the Model Context Protocol whose tools agents may call. */
export type McpServer = StdioServer | HttpServer;

/** Starts a workflow by the clock. */
export interface Schedule {
  readonly workflow: string;
  /** A cron expression of five fields (minute, hour, day, month, weekday), or six with seconds in front. */
  readonly cron: string;
  /** Its time zone, such as `Asia/Tokyo`. Default: `UTC`. */
  readonly timeZone?: string;
  /** The variable `user_input`. Default: `{ schedule, at }`, its name and the time (ISO 8601) that it is due. */
  readonly input?: JsonValue;
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string;
  /**
   * Times that passed while no process was there: one run for the newest of them (`'last'`, the default), one for each,
   * of the newest 100 (`'all'`), or none (`'skip'`).
   */
  readonly missed?: 'last' | 'all' | 'skip';
  /** Where the run before has not ended: another run begins (`'allow'`, the default), or this time is left out (`'skip'`). */
  readonly overlap?: 'allow' | 'skip';
}

/** Starts a workflow by a request of another service. */
export interface Webhook {
  readonly workflow: string;
  /**
   * Scheme that proves who sent a request: `'standard'` (Standard Webhooks), `'github'`, `'slack'`, or `'bearer'`, the
   * secret itself in `Authorization`.
   */
  readonly scheme: WebhookScheme;
  /** The secret that it shares with the sender, as `${NAME}`, a variable of the environment. */
  readonly secret: string;
  /** CEL over `body`, `headers` and `query`: requests for which it is false are answered and start nothing. */
  readonly when?: string;
  /** The dotted path of `user_input`, such as `body.pull_request`. Default: `body`. */
  readonly input?: string;
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string;
}

/** Schemes that prove who sent a request. */
export type WebhookScheme = 'standard' | 'github' | 'slack' | 'bearer';
