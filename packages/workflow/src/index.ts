export type {
  AgentCall,
  InputVariables,
  OutputFormat,
  ParallelAgent,
} from './definition/agent-call.ts';

export type { Aggregate, AggregateName } from './definition/agent-call.ts';

export type {
  Duration,
  FailureMode,
  Limits,
  OnError,
  Retry,
  Timeout,
} from './definition/policies.ts';

export type {
  ActivityStep,
  AgentStep,
  BranchStep,
  ForeachStep,
  FunctionStep,
  HumanStep,
  LoopStep,
  MultiAgentStep,
  RetrieveStep,
  SleepStep,
  Step,
  StepBase,
  SubflowStep,
  ToolStep,
  Variables,
} from './definition/step.ts';

export type {
  AgentRole,
  Named,
  PromptSet,
  WorkflowDefinition,
  WorkflowFile,
} from './definition/workflow-file.ts';
// Running
export { WorkflowEngine } from './engine/workflow-engine.ts';
export { WorkflowRun, type RunResult } from './runtime/workflow-run.ts';

export type { FinishedStep, OpenQuestion, RunState, RunSummary } from './engine/view-run.ts';

// Deleting people
export { eraseSpeaker } from './erase/erase-speaker.ts';

export type { WorkflowRuntime } from './runtime/durable-runtime.ts';

export { defineWorkflow, type DefinedWorkflow, type WorkflowInCode } from './define-workflow.ts';

// Looking at files without running them
export { lint } from './lint/lint.ts';

export type { LintOptions } from './lint/lint-options.ts';

export type { Problem, ProblemCode } from './problems/problem.ts';
export { dryRun } from './dry-run/dry-run.ts';

export type { DryRun, DryRunOptions, DryRunPrice, DryRunPrompt } from './dry-run/dry-run-result.ts';

export type { Range } from './dry-run/cost-of-steps.ts';
export { toMermaid, type MermaidOptions } from './diagram/to-mermaid.ts';

export type { StepState, StepsOfRun } from './diagram/run-states.ts';

export type { DefinitionSources } from './load/load-definitions.ts';

export { WorkflowError, type WorkflowErrorCode } from './errors.ts';

export type { RunEvent, RunPlace, StepPlace, WorkflowEvents } from './events.ts';

export type { Concurrency } from './calls/call-limiter.ts';

export type { ForkChanges, ForkOptions, StartOptions } from './engine/engine-options.ts';

export type { FunctionContext, WorkflowFunction } from './run/execution-context.ts';

export type { ModelCallPlace } from './calls/ask-agent.ts';

export type { ResumeOptions } from './runtime/durable-runtime.ts';

export type { Retention, RunsQuery, RunStatus } from './journal/journal.ts';

export type { WorkflowEngineOptions } from './engine/engine-options.ts';

export type { WorkflowRecorder } from './run/run-record.ts';

export type { WorkflowSource } from './definition/workflow-file.ts';
