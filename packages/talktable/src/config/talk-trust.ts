import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OBJECT, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { TrustRequest, TrustUse } from '@vizprompt/providers/trust';
import { packageUses, pathUses, serverUses } from '@vizprompt/providers/trust/internal';
import { checkArgument } from '../check-input.ts';
import { participantsOf } from './check-config.ts';
import { type Fields, isFields } from './config-issue.ts';
import { readTalkConfig } from './load-config.ts';

/**
 * Reads what a talk file asks its user to consent to: addresses and keys that are not the provider's own,
 * packages of models, and a log outside of the folder of the file and the current one.
 *
 * @throws TalkError with the code `config-invalid` if it cannot be read as YAML.
 */
export async function readTalkTrust(
  path: string | URL,
): Promise<TrustRequest & { readonly place: string }> {
  const { value } = await readTalkConfig(path);
  const place = path instanceof URL ? fileURLToPath(path) : resolve(path);
  return { place, uses: talkUses(value, place).uses };
}

/**
 * Returns what a config that came from elsewhere asks its user to consent to.
 *
 * @param place - The file that it was read from; absent where it came from no file.
 */
export function talkUses(config: object, place?: string): TrustRequest {
  checkArgument('the config of talkUses', config, OBJECT);
  checkArgument('the place of talkUses', place, optional(TEXT));
  const fields: Fields = { ...config };
  const servers = serversOf(fields).flatMap(([provider, { baseURL, apiKeyEnv }]) => {
    const source = `providers.${provider}`;
    return serverUses({ provider, address: baseURL, keyName: apiKeyEnv, source });
  });
  const { logPath } = fields;
  const folders = [process.cwd(), ...(place === undefined ? [] : [dirname(place)])];
  const what = 'the log of the talk is written to';
  const log =
    typeof logPath === 'string' && logPath !== ':memory:'
      ? pathUses({ path: logPath, folders, what, source: 'logPath' })
      : [];
  return { place, uses: [...servers, ...modelUses(fields), ...log] };
}

/** Returns the packages that models of the talk are loaded from. */
function modelUses(fields: Fields): readonly TrustUse[] {
  const { moderator } = fields;
  const seats: [string, unknown][] = participantsOf(fields).map(([at, one]) => [
    `participants[${at}]`,
    one,
  ]);
  return [...seats, ['moderator', moderator] as const].flatMap(([source, one]) => {
    const model = isFields(one) ? one['model'] : undefined;
    return typeof model === 'string' ? packageUses({ model, source: `${source}.model` }) : [];
  });
}

/** The settings of a server in a config. */
interface Server {
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
