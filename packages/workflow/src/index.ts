export type {
  AgentCall,
  InputVariables,
  OutputFormat,
  ParallelAgent,
} from './definition/agent-call.ts';
export type { Aggregate, AggregateName } from './definition/aggregate.ts';
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
export { WorkflowEngine } from './engine/workflow-engine.ts';
export { WorkflowRun, type RunResult } from './engine/workflow-run.ts';
export type { RunState, RunSummary, StepState, WaitingState } from './engine/run-state.ts';
export { WorkflowError, type WorkflowErrorCode } from './errors.ts';
export type { RunEvent, RunPlace, StepPlace, WorkflowEvents } from './events.ts';
export type {
  Concurrency,
  ForkChanges,
  ForkOptions,
  FunctionContext,
  ModelCallPlace,
  ResumeOptions,
  Retention,
  RunsQuery,
  RunStatus,
  StartOptions,
  WorkflowEngineOptions,
  WorkflowFunction,
  WorkflowRecorder,
  WorkflowSource,
} from './options.ts';
