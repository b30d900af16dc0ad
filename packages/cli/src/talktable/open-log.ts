import { existsSync } from 'node:fs';
import type { Conversation, ConversationLog } from '@vizprompt/talktable';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import { logPathGiven, logPathHere } from './log-path.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

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
