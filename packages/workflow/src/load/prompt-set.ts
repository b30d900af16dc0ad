import type { PromptSet } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';

/** What runs where no prompts are needed. */
const NONE: PromptSet = { agent_roles: {}, prompts: {} };

/**
 * The prompt set of a name; without a name `default`, or the only one.
 *
 * @throws WorkflowError with the code `not-found` and the names that there are.
 */
export function choosePromptSet(
  sets: Readonly<Record<string, PromptSet>>,
  name?: string,
): { readonly name: string; readonly set: PromptSet } {
  const names = Object.keys(sets);
  const [only] = names;
  const chosen = name ?? (names.length === 1 ? (only ?? 'default') : 'default');
  const set = Object.hasOwn(sets, chosen) ? sets[chosen] : undefined;
  if (set) return { name: chosen, set };
  if (name === undefined && names.length === 0) return { name: chosen, set: NONE };
  const there = names.length === 0 ? 'there is none' : `there is: ${names.join(', ')}`;
  const message =
    name === undefined
      ? `none of the prompt sets is called 'default': choose one by promptSet; ${there}`
      : `there is no prompt set '${name}'; ${there}`;
  throw new WorkflowError('not-found', message, { context: { promptSet: chosen, names } });
}
