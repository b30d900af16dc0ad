import type { Activity, JsonValue, Retriever, TurnRecorder } from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { Middleware, PriceTable } from '@vizprompt/providers/middleware';
import type { CallLimiter } from '../agents/limiter.ts';
import type { ModelChooser } from '../agents/model-chooser.ts';
import type { RunBudget } from '../agents/run-budget.ts';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { WorkflowEvents } from '../events.ts';
import type { ModelCallPlace, WorkflowFunction } from '../options.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { ActiveClock } from './active-clock.ts';
import type { StepCounter } from './limits.ts';

/** What the steps of all runs of an engine may use. */
export interface EngineServices {
  readonly models: ModelChooser;
  readonly limiter: CallLimiter;
  readonly prices: PriceTable;
  middleware(place: ModelCallPlace): readonly Middleware[];
  readonly functions: Readonly<Record<string, WorkflowFunction>>;
  readonly tools: ReadonlyMap<string, RunnableTool>;
  readonly retrievers: Readonly<Record<string, Retriever>>;
  readonly activities: ReadonlyMap<string, Activity>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the steps of one run may use beside its scope: all that is not durable. */
export interface RunServices {
  readonly engine: EngineServices;
  readonly runId: string;
  readonly definition: PinnedDefinition;
  readonly counter: StepCounter;
  readonly clock: ActiveClock;
  readonly budget: RunBudget;
  /** Absent where there are no recorders. */
  readonly record: RunRecord | undefined;
  /** For activities that record turns of their own. */
  readonly activityRecorder: TurnRecorder | undefined;
  tell: Tell;
  /** Is told of the variables of the run itself, which change as it goes on. */
  readonly onVariables?: (variables: Readonly<Record<string, JsonValue>>) => void;
}

/** Tells listeners of an event of the run; `runId` and `at` are added. */
export type Tell = <Name extends keyof WorkflowEvents>(
  type: Name,
  payload: Omit<WorkflowEvents[Name], 'runId' | 'at'>,
) => void;
