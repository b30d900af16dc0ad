import { messageOf, type ChatModel, type ModelRegistry, defined } from '@vizprompt/providers';
import { isFields, participantsOf, type Fields } from '../config/check-together.ts';
import type { ConfigIssue } from '../config/config-issue.ts';
import { serversOf } from '../config/servers.ts';

/** The models of a config. */
export interface FoundModels {
  /** By the place of the participant; a person has none. */
  readonly participants: ReadonlyMap<number, ChatModel>;
  readonly moderator: ChatModel | undefined;
  /** Models that there are not, and keys that are not set. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * Makes the models of a config, which may be wrong otherwise.
 *
 * @param given - Makes them, instead of the usual registry with the config's `providers`.
 */
export async function findModels(
  config: Fields,
  given: ModelRegistry | undefined,
): Promise<FoundModels> {
  const issues: ConfigIssue[] = [];
  const registry = given ?? (await registryOf(config));
  const used = new Map<string, string>();
  const find = (model: unknown, path: readonly PropertyKey[]): ChatModel | undefined => {
    if (typeof model !== 'string') return isModel(model) ? model : undefined;
    const [provider = ''] = model.split(':');
    if (!used.has(provider)) used.set(provider, model);
    try {
      return registry.model(model);
    } catch (error) {
      issues.push({ path, problem: messageOf(error) });
      return undefined;
    }
  };
  const participants = new Map<number, ChatModel>();
  for (const [at, one] of participantsOf(config)) {
    const model = find(one['model'], ['participants', at, 'model']);
    if (model) participants.set(at, model);
  }
  const { moderator: mc } = config;
  const moderator = isFields(mc) ? find(mc['model'], ['moderator', 'model']) : undefined;
  if (!given) issues.push(...missingKeys(config, used));
  return { participants, moderator, issues };
}

function isModel(value: unknown): value is ChatModel {
  return typeof value === 'object' && value !== null && 'stream' in value && 'modelId' in value;
}

async function registryOf(config: Fields): Promise<ModelRegistry> {
  // The adapters of all providers come with it.
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  const entries = serversOf(config).map(([name, { baseURL, apiKeyEnv }]) => {
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
    return [name, defined({ baseURL, apiKey })] as const;
  });
  return createModelRegistry(Object.fromEntries(entries));
}

/** Without its key a server would be asked with none, and refuse in the middle of the talk. */
function missingKeys(config: Fields, used: ReadonlyMap<string, string>): ConfigIssue[] {
  return serversOf(config).flatMap(([name, { apiKeyEnv }]) => {
    const model = used.get(name);
    if (model === undefined || apiKeyEnv === undefined || process.env[apiKeyEnv]) return [];
    const problem = `the environment variable ${apiKeyEnv} is not set, and '${model}' needs it`;
    return [{ path: ['providers', name, 'apiKeyEnv'], problem }];
  });
}
