import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  AskPerson,
  ConversationManager,
  ConversationManagerOptions,
  TalkConfig,
} from '@vizprompt/talktable';
import type { Cli } from '../frame/cli.ts';
import { pathHere } from '../frame/paths.ts';
import { consentOf, showAddress } from '../frame/consent.ts';
import { logTrust } from '../frame/store-trust.ts';
import { readInput } from '../frame/read-input.ts';
import { logPathGiven, logPathHere } from './open-log.ts';
import type { TalktableMessages } from './messages/en.ts';

const IN_MEMORY = ':memory:';

/** The overrides of the config, and the function that asks people. */
export interface TableOptions {
  readonly overrides?: Partial<TalkConfig> | undefined;
  /** `--log-path`. */
  readonly logPath?: string | undefined;
  readonly ask?: AskPerson | undefined;
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
  const { loadTalkConfig, parseTalkConfig, talkUses } = await import('@vizprompt/talktable/config');
  const { assertTrusted } = await import('@vizprompt/providers/trust');
  const isInput = given === '-';
  const config = isInput ? given : pathHere(cli, given);
  const read = isInput
    ? await parseTalkConfig(await readInput(cli, '-'), {
        overrides,
        file: cli.frame.standardInput,
      })
    : await loadTalkConfig(config, { overrides });
  const named = read.logPath === undefined ? undefined : pathHere(cli, read.logPath);
  const ownLog = logPathGiven(cli, log);
  // The table asks for consent to what the file says; a log that is passed on is no longer the file's.
  if (isInput || ownLog === undefined) {
    await assertTrusted(talkUses(read, isInput ? undefined : config), consentOf(cli));
  }
  const path = ownLog ?? named ?? logPathHere(cli);
  const isNew = !existsSync(path);
  if (ownLog === undefined && path !== IN_MEMORY) await assertOwnLog(cli, path, isNew);
  const options: ConversationManagerOptions = {
    overrides: { ...overrides, logPath: path },
    trust: consentOf(cli),
    ...(ask ? { ask } : {}),
  };
  await showServers(cli, read);
  // The file once more: mistakes in its models are reported with line and column then.
  const manager = await Manager.open(isInput ? read : config, options);
  if (isNew && path !== IN_MEMORY) await trustNew(path);
  return manager;
}

/** A log that is made is trusted by that; one that is there may have come with the folder. */
async function assertOwnLog(
  cli: Cli<TalktableMessages>,
  path: string,
  isNew: boolean,
): Promise<void> {
  const { assertTrusted } = await import('@vizprompt/providers/trust');
  const request = logTrust(path, [cli.cwd, dirname(dirname(path))]);
  const uses = isNew ? request.uses.filter(({ kind }) => kind === 'path') : request.uses;
  await assertTrusted({ ...request, uses }, consentOf(cli));
}

/** A home folder that cannot be written has no record; `--log-path` names the log then. */
async function trustNew(path: string): Promise<void> {
  const { grantTrust, TrustError } = await import('@vizprompt/providers/trust');
  try {
    await grantTrust(logTrust(path, [dirname(path)]));
  } catch (error) {
    if (!TrustError.isInstance(error)) throw error;
  }
}

/** Shows the addresses that a config names, before anything is sent there. */
async function showServers(
  cli: Cli<TalktableMessages>,
  { providers = {} }: TalkConfig,
): Promise<void> {
  const { foreignAddress } = await import('@vizprompt/providers/trust/internal');
  for (const [provider, { baseURL }] of Object.entries(providers)) {
    const source = `providers.${provider}`;
    const address = foreignAddress({ provider, address: baseURL, source });
    if (address !== undefined) await showAddress(cli, address, source);
  }
}
