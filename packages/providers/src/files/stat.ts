import { statSync, type BigIntStats } from 'node:fs';
import { isMissing } from '../storage/file-error.ts';

/** Returns the state of a path, links followed; `undefined` if there is nothing, or a file above it. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
