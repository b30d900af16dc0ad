import type { JsonValue } from '@vizprompt/providers';
import type { ActivityStep } from '../../definition/step.ts';
import { callFunction, given } from '../call-function.ts';
import { assertFits } from '../assert-fits.ts';
import { namedInputs } from '../named-inputs.ts';
import type { Place, Thread } from '../thread.ts';

/** Runs an activity of the engine, again under the same key after a crash. */
export function runActivity(thread: Thread, step: ActivityStep, place: Place): Promise<JsonValue> {
  const { runId, engine, tell, budget, activityRecorder } = thread.services;
  const { path, stepId } = place;
  const input = namedInputs(step.input_variables, thread.variables);
  const activity = given('activity', engine.activities, step.activity);
  return callFunction(thread, place, {
    speaker: step.activity,
    policies: step,
    input: () => ({ ...input }),
    async call({ signal, alive }) {
      const own = structuredClone({ ...input });
      if (activity.input) await assertFits(activity.input, own, `the input of '${step.activity}'`);
      const spending = budget.forStep(path, {
        reserved: (amount, remaining) =>
          tell('budget:reserved', { path, stepId, spending: amount, remaining }),
        settled: (amount, remaining) =>
          tell('budget:settled', { path, stepId, spending: amount, remaining }),
      });
      const output = await activity.run(own, {
        key: `${runId}/${path}`,
        signal,
        emit: (name, payload) => {
          alive();
          tell('step:emitted', { path, stepId, name, payload });
        },
        ...(spending ? { budget: spending.budget } : {}),
        ...(activityRecorder ? { recorder: activityRecorder } : {}),
      });
      await spending?.written();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked where it says what it is
      const value = (output ?? null) as JsonValue;
      if (activity.output)
        await assertFits(activity.output, value, `the output of '${step.activity}'`);
      return value;
    },
  });
}
