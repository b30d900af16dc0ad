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
export { WorkflowError, type WorkflowErrorCode } from './errors.ts';
export type { RunEvent, RunPlace, StepPlace, WorkflowEvents } from './events.ts';
export type {
  Concurrency,
  FunctionContext,
  ModelCallPlace,
  Retention,
  StartOptions,
  WorkflowEngineOptions,
  WorkflowFunction,
  WorkflowRecorder,
  WorkflowSource,
} from './options.ts';
