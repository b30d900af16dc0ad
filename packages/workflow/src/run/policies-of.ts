import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Retry, Timeout } from '../definition/policies.ts';
import { WorkflowError } from '../errors.ts';

/** The rules that a step gives itself or by a name of `use`. */
export function policiesOf(
  { use }: PinnedDefinition,
  step: { readonly retry?: string | Retry; readonly timeout?: string | Timeout },
): { readonly retry: Retry | undefined; readonly timeout: Timeout | undefined } {
  return {
    retry: named('retries', use.retries, step.retry),
    timeout: named('timeouts', use.timeouts, step.timeout),
  };
}

function named<Rules extends object>(
  what: string,
  all: Readonly<Record<string, Rules>> | undefined,
  given: string | Rules | undefined,
): Rules | undefined {
  if (typeof given !== 'string') return given;
  const rules = all && Object.hasOwn(all, given) ? all[given] : undefined;
  if (rules) return rules;
  throw new WorkflowError('not-found', `there is no '${given}' in use.${what}`, {
    context: { [what]: given },
  });
}
