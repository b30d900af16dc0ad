/**
 * Flows of agents, functions and people, checked before they run and resumed where they stopped.
 *
 * @module @vizprompt/workflow
 */

export type { Duration, Retry } from './definition/policies.ts';

export type { FunctionStep, Step, Variables } from './definition/step.ts';

export type { Named, WorkflowDefinition, WorkflowFile } from './definition/workflow-file.ts';
// Running
export { WorkflowEngine } from './engine/workflow-engine.ts';
export { WorkflowRun, type RunResult } from './runtime/workflow-run.ts';

export type { OpenQuestion, RunState, RunSummary } from './engine/view-run.ts';

// Deleting people
export { eraseSpeaker } from './erase/journal-eraser.ts';

export type { WorkflowRuntime } from './runtime/durable-runtime.ts';

export { defineWorkflow, type DefinedWorkflow } from './define-workflow.ts';

// Looking at files without running them
export { lint } from './lint/lint.ts';
export { listMcpTools, type McpServerTools, type McpToolsOptions } from './lint/mcp-tools.ts';

export type { Problem } from './problems/problem.ts';
export { dryRun } from './dry-run/dry-run.ts';

export type { DryRun, DryRunOptions, DryRunPrice, DryRunPrompt } from './dry-run/dry-run-result.ts';

export type { Range } from './dry-run/dry-run-result.ts';
export { toMermaid } from './diagram/to-mermaid.ts';

export { readWorkflowTrust } from './load/workflow-trust.ts';

export type { DefinitionSources } from './load/load-definitions.ts';

export { WorkflowError, type WorkflowErrorCode } from './errors.ts';

export type { RunEvent, StepPlace, WorkflowEvents, WorkflowListeners } from './events.ts';

export type { ForkChanges, ForkOptions, StartOptions } from './engine/engine-options.ts';

export type { WorkflowFunction } from './run/execution-context.ts';

export type { ModelCallPlace } from './calls/ask-agent.ts';

export type { Schedule, Webhook, WebhookScheme } from './definition/workflow-file.ts';
export type { RunningSchedules, ScheduleOptions } from './runtime/schedules.ts';

export type { RunStatus } from './journal/journal.ts';

export type { ResumeOptions } from './runtime/durable-runtime.ts';

export type { WorkflowEngineOptions } from './engine/engine-options.ts';

export type { WorkflowRecorder } from './run/run-record.ts';

export type { WorkflowSource } from './definition/workflow-file.ts';

// Types that the exports above use, so that declarations can name them
export type { Concurrency } from './calls/call-limiter.ts';
export type { McpServer } from './definition/workflow-file.ts';
export type { Limits, OnError, Timeout } from './definition/policies.ts';
export type { AgentRole } from './definition/workflow-file.ts';
export type { Retention } from './journal/journal.ts';
export type { ProblemCode } from './problems/problem.ts';
export type { DurableRuntime, RunReader } from './runtime/durable-runtime.ts';
export type {
  Activity,
  Budget,
  ChatModel,
  ChatRequest,
  ErasureReport,
  FileStore,
  JsonObject,
  JsonValue,
  LLMErrorCode,
  Logger,
  ModelRegistry,
  Retriever,
  Spending,
  Storage,
  TurnRecorder,
  Usage,
} from '@vizprompt/providers';
export type { RunnableTool } from '@vizprompt/providers/generate';
export type { DamagedRow, ErrorJson, Unsubscribe } from '@vizprompt/providers/internal';
export type { Middleware, Price } from '@vizprompt/providers/middleware';
export type { TrustOption, TrustRequest } from '@vizprompt/providers/trust';
