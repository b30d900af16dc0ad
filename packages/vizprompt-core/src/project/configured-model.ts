import type { ChatModel } from '@vizprompt/providers';
import type { OpenOptions } from '../options.ts';
import type { ProjectConfig } from './config.ts';

/**
 * The model of a project: the one that was given, or the one that `config.yaml` names, made by the
 * registry when it is first needed. Without a registry there is none.
 */
export function configuredModel(
  { settings, providers }: ProjectConfig,
  { model, registry }: Pick<OpenOptions, 'model' | 'registry'>,
): () => ChatModel | undefined {
  let made = model;
  return () => {
    const { defaultLlmProvider: provider, defaultModel: name } = settings;
    if (made || !registry || provider === undefined || name === undefined) return made;
    const { apiKeyEnv, host } = providers[provider] ?? {};
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
    made = registry.model(`${provider}:${name}`, {
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(host === undefined ? {} : { baseURL: host }),
    });
    return made;
  };
}
