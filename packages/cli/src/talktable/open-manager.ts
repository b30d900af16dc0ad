import type {
  AskPerson,
  ConversationManager,
  ConversationManagerOptions,
  TalkConfig,
} from '@vizprompt/talktable';
import type { Cli } from '../frame/cli.ts';
import { pathHere } from '../frame/path-here.ts';
import { readInput } from '../frame/read-input.ts';
import { logPathGiven, logPathHere } from './log-path.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

/** What stands above the config, and who asks people. */
export interface TableOptions {
  readonly overrides?: Partial<TalkConfig>;
  /** `--log-path`. */
  readonly logPath?: string | undefined;
  readonly ask?: AskPerson;
}

/**
 * Opens the table of a config.
 *
 * @param given - The path of a YAML file, or `-`.
 */
export async function openManager(
  cli: Cli<TalktableMessages>,
  given: string,
  { overrides = {}, logPath: log, ask }: TableOptions = {},
): Promise<ConversationManager> {
  const { ConversationManager: Manager } = await import('@vizprompt/talktable');
  const { loadTalkConfig, parseTalkConfig } = await import('@vizprompt/talktable/config');
  const isInput = given === '-';
  const config = isInput ? given : pathHere(cli, given);
  const read = isInput
    ? await parseTalkConfig(await readInput(cli, '-'), {
        overrides,
        file: cli.frame.standardInput,
      })
    : await loadTalkConfig(config, { overrides });
  const named = read.logPath === undefined ? undefined : pathHere(cli, read.logPath);
  const logPath = logPathGiven(cli, log) ?? named ?? logPathHere(cli);
  const options: ConversationManagerOptions = {
    overrides: { ...overrides, logPath },
    ...(ask ? { ask } : {}),
  };
  // The file once more: what is wrong with its models is told with line and column then.
  return Manager.open(isInput ? read : config, options);
}
