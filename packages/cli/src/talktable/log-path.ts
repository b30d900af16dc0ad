import { join, resolve } from 'node:path';
import { TALK_LOG } from '../frame/log-trust.ts';
import type { Cli } from '../frame/cli.ts';
import { nearestFolder } from '../frame/project-folder.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

/** Returns the file of the log that was asked for: `--log-path`, or below `--data`. */
export function logPathGiven(
  cli: Cli<TalktableMessages>,
  logPath: string | undefined,
): string | undefined {
  if (logPath !== undefined) return resolve(cli.cwd, logPath);
  return cli.data === undefined ? undefined : resolve(cli.cwd, cli.data, TALK_LOG);
}

/** Returns the default file of the log: the nearest upwards, or one to make here. */
export function logPathHere(cli: Cli<TalktableMessages>): string {
  return join(nearestFolder(cli.cwd, [TALK_LOG]) ?? cli.cwd, TALK_LOG);
}
