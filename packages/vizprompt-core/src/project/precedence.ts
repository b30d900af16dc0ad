import { compareFiles } from './layout.ts';
import { compareTimes } from './time.ts';

/** A file that carries an id. */
interface Version {
  readonly file: string;
  readonly timestamp: string;
}

/**
 * Orders the files that carry one id: the newest first, of equally new ones that which is found
 * later when the folders are walked.
 */
export function precedence(a: Version, b: Version): number {
  return compareTimes(b.timestamp, a.timestamp) || compareFiles(b.file, a.file);
}
