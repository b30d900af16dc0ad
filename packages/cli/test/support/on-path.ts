import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Checks whether a program is installed. */
export function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
