import { toMs } from '../definition/duration.ts';
import type { Retention } from '../options.ts';

/** Ids of the ended runs that are kept. */
export function retained(
  ended: readonly { readonly id: string; readonly endedAt: number }[],
  { keepLast = Infinity, maxAge }: Retention,
  now: number,
): Set<string> {
  const oldest = maxAge === undefined ? -Infinity : now - toMs(maxAge);
  const newest = ended.toSorted((a, b) => b.endedAt - a.endedAt).slice(0, keepLast);
  return new Set(newest.filter(({ endedAt }) => endedAt >= oldest).map(({ id }) => id));
}
