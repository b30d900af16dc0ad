import { listedValues } from './refusal-words.ts';

/** How much to think, from nothing to the most. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The nearest level that a server lists where it refuses one; `undefined` if it lists none. */
export function nearestEffort(wanted: string, said: string): string | undefined {
  const listed = listedValues(said).filter((value) => LEVELS.includes(value) && value !== wanted);
  const at = LEVELS.indexOf(wanted);
  const distance = (value: string): number => Math.abs(LEVELS.indexOf(value) - at);
  return listed.toSorted((one, other) => distance(one) - distance(other))[0];
}
