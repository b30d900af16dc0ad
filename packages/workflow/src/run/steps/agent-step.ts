import type { JsonValue } from '@vizprompt/providers';
import type { AgentStep } from '../../definition/step.ts';
import { callAgent } from '../call-agent.ts';
import { namedInputs } from '../named-inputs.ts';
import type { Place, Thread } from '../thread.ts';

/** One agent answers. */
export function runAgent(thread: Thread, step: AgentStep, place: Place): Promise<JsonValue> {
  const inputs = namedInputs(step.input_variables, thread.variables);
  return callAgent(thread, place, { call: step, inputs });
}
