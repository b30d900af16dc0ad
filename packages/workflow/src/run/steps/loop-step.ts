import type { JsonValue } from '@vizprompt/providers';
import type { LoopStep } from '../../definition/step.ts';
import { holds } from '../../language/condition.ts';
import type { Place, Thread } from '../thread.ts';

/** Repeats its steps until the condition holds, or the rounds are used up. */
export async function runLoop(thread: Thread, step: LoopStep, place: Place): Promise<JsonValue> {
  const { variables, services } = thread;
  const { as = 'round' } = step;
  let output: JsonValue = null;
  for (let round = 1; round <= step.maxRounds; round++) {
    variables[as] = round;
    await services.counter.begin(place.path);
    const inner: Thread = { ...thread, prefix: `${place.name}/${round}/` };
    output = await inner.runSteps(inner, step.steps);
    thread.follows = inner.follows;
    if (step.until !== undefined && holds(step.until, variables)) break;
  }
  return output;
}
