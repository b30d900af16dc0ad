import type {
  AskPerson,
  ConversationManager,
  ConversationManagerOptions,
  TalkConfig,
} from '@vizprompt/talktable';
import type { Cli } from '../frame/cli.ts';
import { consentOf, showAddress } from '../frame/consent.ts';
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
 * @param config - The path of a YAML file, or `-`.
 */
export async function openManager(
  cli: Cli<TalktableMessages>,
  config: string,
  { overrides = {}, logPath: given, ask }: TableOptions = {},
): Promise<ConversationManager> {
  const { ConversationManager: Manager } = await import('@vizprompt/talktable');
  const { loadTalkConfig, parseTalkConfig, talkUses } = await import('@vizprompt/talktable/config');
  const { assertTrusted } = await import('@vizprompt/providers/trust');
  const isInput = config === '-';
  const read = isInput
    ? await parseTalkConfig(await readInput(cli, '-'), {
        overrides,
        file: cli.frame.standardInput,
      })
    : await loadTalkConfig(config, { overrides });
  if (isInput) await assertTrusted(talkUses(read), consentOf(cli));
  // The path of the file is the file's own, and may need consent.
  const isOwnLog = logPathGiven(cli, given) === undefined && read.logPath !== undefined;
  const logPath = logPathGiven(cli, given) ?? logPathHere(cli);
  const options: ConversationManagerOptions = {
    overrides: { ...overrides, ...(isOwnLog ? {} : { logPath }) },
    trust: consentOf(cli),
    ...(ask ? { ask } : {}),
  };
  await showServers(cli, read);
  // The file once more: what is wrong with its models is told with line and column then.
  return Manager.open(isInput ? read : config, options);
}

/** Shows the addresses that a config names, before anything is sent there. */
async function showServers(
  cli: Cli<TalktableMessages>,
  { providers = {} }: TalkConfig,
): Promise<void> {
  const { foreignAddress } = await import('@vizprompt/providers/trust');
  for (const [provider, { baseURL }] of Object.entries(providers)) {
    const source = `providers.${provider}`;
    const address = foreignAddress({ provider, address: baseURL, source });
    if (address !== undefined) await showAddress(cli, address, source);
  }
}
