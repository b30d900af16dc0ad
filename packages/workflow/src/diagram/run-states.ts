import type { RunEvent } from '../events.ts';

/** What became of a step in a run, the last time that it was begun. */
export type StepState = 'running' | 'waiting' | 'done' | 'failed' | 'skipped';

/** The state of each step, by its id, as the events of a run tell. */
export function stepStates(events: Iterable<RunEvent>): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const event of events) {
    if (event.type === 'run:ended') {
      if (event.status === 'done') continue;
      for (const [id, state] of states) {
        if (state === 'running' || state === 'waiting') states.set(id, 'failed');
      }
      continue;
    }
    const state = 'stepId' in event ? stateAfter(event.type) : undefined;
    if (state && 'stepId' in event) states.set(event.stepId, state);
  }
  return states;
}

function stateAfter(type: RunEvent['type']): StepState | undefined {
  switch (type) {
    case 'step:started':
    case 'step:answered':
      return 'running';
    case 'step:waiting':
      return 'waiting';
    case 'step:ended':
      return 'done';
    case 'step:failed':
      return 'failed';
    case 'step:skipped':
      return 'skipped';
    default:
      return undefined;
  }
}
