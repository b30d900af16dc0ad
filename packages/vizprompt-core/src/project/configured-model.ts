import type { ChatModel } from '@vizprompt/providers';
import type { OpenOptions } from '../options.ts';
import type { ProjectConfig } from './config.ts';

/** What `config.yaml` says from the start: it was not chosen, so the registry may know better. */
const FROM_THE_START: ReadonlySet<string> = new Set([
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'http://localhost:11434',
]);

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
    if (made || !registry || name === undefined) return made;
    // Without a provider it is an alias that the registry knows.
    if (provider === undefined) return (made = registry.model(name));
    const { apiKeyEnv = '', host = '' } = providers[provider] ?? {};
    const apiKey = FROM_THE_START.has(apiKeyEnv) ? undefined : process.env[apiKeyEnv];
    made = registry.model(`${provider}:${name}`, {
      ...(apiKey ? { apiKey } : {}),
      ...(host === '' || FROM_THE_START.has(host) ? {} : { baseURL: host }),
    });
    return made;
  };
}
