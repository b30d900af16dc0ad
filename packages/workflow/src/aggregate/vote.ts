import type { JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import { findAt } from '../language/variable-path.ts';
import type { Answer } from './answer.ts';
import { identityOf } from './identity-of.ts';

/** Sums such as 0.1 + 0.2 and 0.3 are alike. */
const TIE = 1e-9;

/**
 * The answer that has the most weight behind it, as its first agent worded it; of equally heavy ones that
 * which came first.
 *
 * @param by - The dotted path of what is compared; answers without it abstain.
 * @throws WorkflowError with the code `step-failed` if all abstain.
 */
export function vote(answers: readonly Answer[], by?: string): JsonValue {
  const groups = new Map<string, { readonly value: JsonValue; weight: number }>();
  for (const { value, weight } of answers) {
    const compared = by === undefined ? value : findAt(by, value);
    if (compared === undefined) continue;
    const identity = identityOf(compared);
    const group = groups.get(identity) ?? { value, weight: 0 };
    group.weight += weight;
    groups.set(identity, group);
  }
  const [first, ...others] = groups.values();
  if (!first) throw allAbstain(answers, by);
  let best = first;
  for (const group of others) {
    if (group.weight > best.weight * (1 + TIE)) best = group;
  }
  return best.value;
}

function allAbstain(answers: readonly Answer[], by = ''): WorkflowError {
  const names = answers.map(({ name }) => `'${name}'`).join(', ');
  return new WorkflowError(
    'step-failed',
    `nothing to vote on: no answer has '${by}' (${names}); give these agents an output.schema that requires it`,
    { context: { by, names: answers.map(({ name }) => name) } },
  );
}
