import type { TurnRecorder } from '@vizprompt/providers';
import type { WorkflowRecorder } from '../options.ts';

/**
 * All recorders as one, for activities that record turns of their own. It fails if a required one fails.
 *
 * @param failed - Is told of the failures of the others.
 */
export function activityRecorder(
  recorders: readonly (TurnRecorder | WorkflowRecorder)[],
  failed: (error: unknown) => void,
): TurnRecorder | undefined {
  if (recorders.length === 0) return undefined;
  return {
    specVersion: 1,
    async record(turn) {
      for (const given of recorders) {
        const { recorder, required = false } = 'record' in given ? { recorder: given } : given;
        try {
          await recorder.record(turn);
        } catch (error) {
          failed(error);
          if (required) throw error;
        }
      }
    },
  };
}
