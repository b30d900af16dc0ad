import { conflictSides } from '../format/merge-conflict.ts';
import { parseConfig } from './config.ts';

/** Settings in which git left its marks, as one text. */
export interface SettledConfig {
  readonly text: string;
  /** The line of the first mark. */
  readonly line: number;
}

/**
 * Settles a conflict of git in the settings: this side's, if they can be read, with the older `created` and the newer
 * `updated` of both; otherwise the other side's.
 *
 * @returns `undefined` if there is no conflict, or no side can be read.
 */
export async function settleConfig(text: string): Promise<SettledConfig | undefined> {
  const sides = conflictSides(text);
  if (!sides) return undefined;
  const { ours, theirs, line } = sides;
  if (!(await isSound(ours))) return (await isSound(theirs)) ? { text: theirs, line } : undefined;
  if (!(await isSound(theirs))) return { text: ours, line };
  const created = [timeIn(ours, 'created'), timeIn(theirs, 'created')].filter(Boolean).toSorted();
  const updated = [timeIn(ours, 'updated'), timeIn(theirs, 'updated')].filter(Boolean).toSorted();
  const settled = withTime(withTime(ours, 'created', created.at(0)), 'updated', updated.at(-1));
  return { text: settled, line };
}

async function isSound(text: string): Promise<boolean> {
  return parseConfig(text).then(
    () => true,
    () => false,
  );
}

function timeIn(text: string, key: string): string {
  return new RegExp(`^${key}: *(\\S+)`, 'm').exec(text)?.[1] ?? '';
}

function withTime(text: string, key: string, time = ''): string {
  return time === '' ? text : text.replace(new RegExp(`^(${key}: *)\\S+`, 'm'), `$1${time}`);
}
