import type { JsonObject } from '@vizprompt/providers';
import type { McpServer } from './mcp-server.ts';
import type { Limits, Retry, Timeout } from './policies.ts';
import type { Step } from './step.ts';
import type { Schedule, Webhook } from './triggers.ts';

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
