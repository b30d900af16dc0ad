import { listedValues } from './refusal-words.ts';

/** How much to think, from nothing to the most. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high'] as const;

type Level = (typeof LEVELS)[number];

/** The nearest level that a server lists where it refuses one; `undefined` if it lists none. */
export function nearestEffort(wanted: string, said: string): Level | undefined {
  const values = listedValues(said);
  const listed = LEVELS.filter((level) => values.includes(level) && level !== wanted);
  const at = LEVELS.findIndex((level) => level === wanted);
  // What is above the levels that are known (`xhigh`) is nearest to the highest.
  const place = at < 0 ? LEVELS.length : at;
  const distance = (level: Level): number => Math.abs(LEVELS.indexOf(level) - place);
  return listed.toSorted((one, other) => distance(one) - distance(other))[0];
}
