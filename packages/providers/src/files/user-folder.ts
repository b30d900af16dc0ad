import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';

const NAME = 'vizprompt';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of what this user consented to: `vizprompt` in `XDG_CONFIG_HOME`, or else in
 * `~/.config`; on Windows in `APPDATA`.
 */
export function configFolder(env: Environment = process.env): string {
  if (process.platform === 'win32') return join(absolute(env['APPDATA']) ?? homedir(), NAME);
  return join(absolute(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), NAME);
}

/**
 * Returns the folder of what this user has on this machine alone: `vizprompt` in `XDG_STATE_HOME`, or
 * else in `~/.local/state`; on Windows in `LOCALAPPDATA`.
 */
export function stateFolder(env: Environment = process.env): string {
  if (process.platform === 'win32') return join(absolute(env['LOCALAPPDATA']) ?? homedir(), NAME);
  return join(absolute(env['XDG_STATE_HOME']) ?? join(homedir(), '.local', 'state'), NAME);
}

/** Checks whether a path is a folder or is inside it. Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A relative path would be inside whichever folder a program was started in. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
