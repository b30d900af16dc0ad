import type { JsonValue } from '@vizprompt/providers';
import type { Step } from '../definition/step.ts';
import { partNames } from './part-names.ts';

/**
 * The variables that a step sets beside its own, those of parallel agents and of a judge, with what they hold where
 * its output was given to it: by a fork, or because it failed.
 */
export function otherOutputs(
  step: Step,
  output: JsonValue,
): readonly (readonly [name: string, value: JsonValue])[] {
  if (step.type !== 'multi_agent_interaction') return [];
  const { agents_to_run: agents, aggregate } = step;
  const answers = aggregate === undefined ? entriesOf(output) : new Map<string, JsonValue>();
  const names = partNames(agents);
  const all: [string | undefined, JsonValue][] = agents.map(({ output_variable: name }, at) => [
    name,
    answers.get(names[at] ?? '') ?? null,
  ]);
  if (typeof aggregate === 'object' && 'output_variable' in aggregate) {
    all.push([aggregate.output_variable, output]);
  }
  return all.flatMap(([name, value]) => (name === undefined ? [] : [[name, value]]));
}

function entriesOf(output: JsonValue): ReadonlyMap<string, JsonValue> {
  return new Map(Object.entries<JsonValue>(typeof output === 'object' && output ? output : {}));
}
