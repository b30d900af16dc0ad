import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Conversation, ConversationLog } from '@vizprompt/talktable';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import { TALK_LOG } from '../frame/store-trust.ts';
import { nearestFolder } from '../frame/paths.ts';
import type { TalktableMessages } from './messages/en.ts';

/**
 * Opens the log to be read.
 *
 * @throws CliError `not-found` if there is none; TalkError `log-unreadable`.
 */
export async function openLog(
  cli: Cli<TalktableMessages>,
  logPath: string | undefined,
): Promise<ConversationLog> {
  const { ConversationLog: Log } = await import('@vizprompt/talktable');
  const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
  if (existsSync(path)) return Log.open(path);
  throw new CliError('not-found', cli.text.noTalk(path), { context: { path } });
}

/**
 * Returns the talk of this id, or the newest one.
 *
 * @throws CliError `not-found` if there is none at all; TalkError `conversation-not-found`.
 */
export async function whichTalk(
  cli: Cli<TalktableMessages>,
  log: ConversationLog,
  id: string | undefined,
  logPath: string | undefined,
): Promise<Conversation> {
  if (id !== undefined) return log.conversation(id);
  const [newest] = await log.conversations(1);
  if (newest) return newest;
  const path = logPathGiven(cli, logPath) ?? logPathHere(cli);
  throw new CliError('not-found', cli.text.noTalk(path), { context: { path } });
}

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
