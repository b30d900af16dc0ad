import { isFields, type Fields } from './config-issue.ts';

/** The settings of a server in a config. */
export interface Server {
  readonly baseURL: string | undefined;
  readonly apiKeyEnv: string | undefined;
}

/** Returns the servers of a config, which may be wrong otherwise. */
export function serversOf({
  providers,
}: Fields): readonly (readonly [name: string, server: Server])[] {
  if (!isFields(providers)) return [];
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value : undefined;
  return Object.entries(providers).map(([name, one]) => {
    const { baseURL, apiKeyEnv } = isFields(one) ? one : {};
    return [name, { baseURL: text(baseURL), apiKeyEnv: text(apiKeyEnv) }] as const;
  });
}
