import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where compiled dictionaries, and indexes of projects that cannot be written, lie unless told otherwise:
 * `$XDG_CACHE_HOME/vizprompt`, `~/.cache/vizprompt`, or `%LOCALAPPDATA%\vizprompt` on Windows. What lies
 * there may be deleted at any time.
 */
export function defaultCacheFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (platform === 'win32' && local) return join(local, 'vizprompt');
  return join(xdg || join(homedir(), '.cache'), 'vizprompt');
}

/** The variable that moves it. */
export function cacheVariable(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
}
