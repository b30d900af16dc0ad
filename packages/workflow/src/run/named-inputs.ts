import type { JsonValue } from '@vizprompt/providers';
import type { InputVariables } from '../definition/agent-call.ts';
import { valueAt } from '../language/variable-path.ts';
import { ownVariables, type OwnVariables } from './thread.ts';

/** The values that named inputs stand for. */
export function namedInputs(
  inputs: InputVariables | undefined,
  variables: OwnVariables,
): { [name: string]: JsonValue } {
  const values = ownVariables({});
  for (const [name, path] of Object.entries(inputs ?? {})) values[name] = valueAt(path, variables);
  return values;
}
