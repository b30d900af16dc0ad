import type { TurnRecorder, TypedEvents } from '@vizprompt/providers';
import type { WorkflowEvents } from '../events.ts';
import type { Journal } from '../journal/journal.ts';
import type { WorkflowRecorder } from '../options.ts';
import type { EngineServices } from '../run/services.ts';

/** What the runs of an engine share. */
export interface EngineParts {
  readonly journal: Journal;
  readonly services: EngineServices;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  readonly events: TypedEvents<WorkflowEvents>;
}
