import { join } from 'node:path';
import { type ChatModel, messageOf, storedFile, type StoredFile } from '@vizprompt/providers';
import { readPlainFile } from '@vizprompt/providers/internal';
import { isTrusted, type TrustRequest, untrusted } from '@vizprompt/providers/trust';
import {
  foreignAddress,
  type NamedServer,
  packageUses,
  serverUses,
} from '@vizprompt/providers/trust/internal';
import { invalidFile } from '../errors.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { CONFIG_FILE, type ProjectConfig } from './config.ts';
import type { OpenOptions } from './options.ts';

/** Values of a new `config.yaml`: the user did not choose them, so the registry decides. */
const FROM_THE_START: ReadonlySet<string> = new Set([
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'http://localhost:11434',
]);

/** The model of a project, and who is asked before it is created. */
export interface ModelParts extends Pick<OpenOptions, 'model' | 'registry' | 'trust'> {
  /** The folder of the project; absent where it is on a storage. */
  readonly place?: string | undefined;
}

/** Returns what the settings say of the provider of the project's model. */
function configuredServer({ settings, providers }: ProjectConfig): NamedServer | undefined {
  const { defaultLlmProvider: provider } = settings;
  if (provider === undefined) return undefined;
  const { apiKeyEnv: keyName, host: address } = ownEntry(providers, provider);
  return { provider, address, keyName, source: `${CONFIG_FILE}: providers.${provider}` };
}

/**
 * Returns what the settings of a project ask for: an address that is not the provider's own, keys that would go elsewhere
 * than to their own provider, and a package that is loaded.
 *
 * @param place - The folder of the project.
 */
function configTrust(config: ProjectConfig, place: string | undefined): TrustRequest {
  const server = configuredServer(config);
  const { defaultLlmProvider: provider, defaultModel: name = '' } = config.settings;
  const model = provider === undefined ? name : `${provider}:${name}`;
  const source = `${CONFIG_FILE}: settings.default_model`;
  const uses = packageUses({ model, source });
  return { place, uses: server ? [...serverUses(server), ...uses] : uses };
}

/**
 * Returns what gives the model of a project: the one that was passed, or the one that `config.yaml` names,
 * created by the registry when it is first needed. Without a registry there is none. One that needs
 * consent which was not given throws `untrusted`.
 */
export async function configuredModel(
  config: ProjectConfig,
  { model, registry, trust, place }: ModelParts,
): Promise<() => ChatModel | undefined> {
  const { settings, providers } = config;
  const { defaultLlmProvider: provider, defaultModel: name } = settings;
  if (model || !registry || name === undefined) return () => model;
  let created: ChatModel | undefined;
  const request = configTrust(config, place);
  const isAllowed = await isTrusted(request, trust);
  return () => {
    if (created) return created;
    if (!isAllowed) throw untrusted(request);
    // Without a provider it is an alias that the registry knows.
    if (provider === undefined) return (created = registry.model(name));
    const { apiKeyEnv = '', host = '' } = ownEntry(providers, provider);
    const apiKey = FROM_THE_START.has(apiKeyEnv) ? undefined : process.env[apiKeyEnv];
    return (created = registry.model(`${provider}:${name}`, {
      ...(apiKey ? { apiKey } : {}),
      ...(host === '' || FROM_THE_START.has(host) ? {} : { baseURL: host }),
    }));
  };
}

function ownEntry(
  providers: ProjectConfig['providers'],
  name: string,
): ProjectConfig['providers'][string] {
  return Object.hasOwn(providers, name) ? (providers[name] ?? {}) : {};
}

/** The consent that a project needs from its user. */
export interface ProjectTrust extends TrustRequest {
  readonly place: string;
  /** The address of its model, if that is not the provider's own. */
  readonly address?: string | undefined;
}

/**
 * Reads what the `config.yaml` of a folder asks its user to consent to, without opening the project.
 *
 * @throws VizPromptError with the code `config-invalid`, also if there is no such file.
 */
export async function readProjectTrust(folder: string): Promise<ProjectTrust> {
  const { readSettledConfig } = await import('./read-config.ts');
  const config = await readSettledConfig(readConfig(folder));
  const server = configuredServer(config);
  const address = server && foreignAddress(server);
  return { ...configTrust(config, folder), place: folder, address };
}

function readConfig(folder: string): StoredFile {
  const place = { file: CONFIG_FILE };
  let bytes: Buffer | undefined;
  try {
    bytes = readPlainFile(join(folder, CONFIG_FILE), { maxBytes: DEFAULT_LIMITS.configBytes });
  } catch (cause) {
    throw invalidFile('config-invalid', place, messageOf(cause), cause);
  }
  if (bytes) return storedFile(CONFIG_FILE, bytes, '');
  throw invalidFile('config-invalid', place, `there is no such file in ${folder}`);
}
