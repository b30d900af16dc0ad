import type { TurnRecorder, TypedEvents } from '@vizprompt/providers';
import type { WorkflowEvents } from '../events.ts';
import type { Journal } from '../journal/journal.ts';
import type { WorkflowRecorder } from '../options.ts';
import type { EngineServices } from '../run/services.ts';

/** What the leader of runs needs of a journal. */
export type LeadJournal = Pick<Journal, 'run' | 'write' | 'unask' | 'answersOf' | 'lost' | 'prune'>;

/** What the runs of an engine share. */
export interface EngineParts {
  readonly journal: LeadJournal;
  readonly services: EngineServices;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  readonly events: TypedEvents<WorkflowEvents>;
}
