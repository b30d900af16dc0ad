import type { JsonValue } from '@vizprompt/providers';
import type { Place, Thread } from './thread.ts';

/** A fork said what the step gives. It is in the journal like any other: a fork of the fork takes it over. */
export async function giveOutput(
  { scope, services }: Thread,
  { name, path, stepId, type }: Place,
  output: JsonValue,
): Promise<JsonValue> {
  await scope.step(name, async () => ({ output, meta: { stepId, type } }));
  services.tell('step:ended', { path, stepId, output, isReplayed: true, ms: 0 });
  return output;
}
