import { addUsage, USAGE_COUNTS } from '../models/add-usage.ts';
import type { FinishEvent, Usage } from '../models/events.ts';
import { fieldsOf, numberOf } from '../json/fields.ts';
import { withContext, type LLMError } from '../models/llm-error.ts';

/** What a failed attempt cost, as far as it is known; what earlier ones below it cost is in it. */
export function lostIn(error: LLMError): Usage[] {
  const { partial, context } = error;
  return [...(partial ? [partial.usage] : []), ...usageIn(context['lostUsage'])];
}

/** The sum of what was lost; `undefined` for nothing. */
export function sumOf(lost: readonly Usage[]): Usage | undefined {
  return lost.length === 0 ? undefined : addUsage(...lost);
}

/** The error of the last attempt, with what the others cost. */
export function withLostUsage(error: LLMError, lost: Usage | undefined): LLMError {
  if (lost === undefined) return error;
  const sum = addUsage(lost, ...usageIn(error.context['lostUsage']));
  return withContext(error, { lostUsage: sum });
}

/** What was lost on the way to an answer. */
export function lostBefore({ meta }: FinishEvent): Usage[] {
  return usageIn(meta?.['vizprompt']?.['lostUsage']);
}

function usageIn(value: unknown): Usage[] {
  const fields = fieldsOf(value);
  const counts = USAGE_COUNTS.flatMap((key) => {
    const count = numberOf(fields[key]);
    return count === undefined ? [] : [[key, count] as const];
  });
  return counts.length === 0
    ? []
    : [{ inputTokens: 0, outputTokens: 0, ...Object.fromEntries(counts) }];
}
