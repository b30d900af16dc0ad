import { existsSync } from 'node:fs';
import { win32 } from 'node:path';

/** The environment in which {@link programOnPath} searches. */
export interface ProgramSearch {
  readonly platform: NodeJS.Platform;
  readonly path: string | undefined;
  readonly exists: (file: string) => boolean;
}

const { PATH } = process.env;
const HERE: ProgramSearch = {
  platform: process.platform,
  path: PATH,
  exists: existsSync,
};

/**
 * Returns what to start for a program of this machine. Windows looks for a bare name in the working directory first, which
 * may be a folder of a stranger with a `git.exe` of its own: there it is the file on the path, and one that is not there
 * where there is none.
 */
export function programOnPath(name: string, search: ProgramSearch = HERE): string {
  if (search.platform !== 'win32') return name;
  const files = (search.path ?? '')
    .split(';')
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => win32.isAbsolute(folder))
    .map((folder) => win32.join(folder, `${name}.exe`));
  return files.find((file) => search.exists(file)) ?? `C:\\not-on-path\\${name}.exe`;
}
