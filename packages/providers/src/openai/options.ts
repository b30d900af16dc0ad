import type { ModelCapabilities } from '../chat/chat-model.ts';
import { addressOf } from '../wire/address.ts';
import type { CallIdentity } from '../wire/identity.ts';
import { secretsIn } from '../wire/secrets.ts';
import type { Fetch } from '../wire/wire.ts';
import { LLMError } from '../chat/llm-error.ts';
import {
  openAIProfiles,
  profileAt,
  type OpenAIProfile,
  type OpenAIProfileName,
} from './profiles.ts';

/** What the models of `@vizprompt/providers/openai` have in common. */
export interface OpenAIConnection {
  /** As the server names it, such as `gpt-5-mini` or `qwen3:8b`. */
  readonly model: string;
  /** Default: the environment variable of the profile, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** Default: the address of the profile, or else `OPENAI_BASE_URL`, or else OpenAI's. */
  readonly baseURL?: string;
  /**
   * What kind of server it is: a name, or a profile of one's own. Default: by the host of `baseURL`,
   * and `compatible` for a host that is not known.
   */
  readonly profile?: OpenAIProfileName | OpenAIProfile;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch;
}

/** Options of `openai`. */
export interface OpenAIOptions extends OpenAIConnection {
  /** What the model can do, where you know more than this package. */
  readonly capabilities?: ModelCapabilities;
}

/** A connection with all its defaults. */
export interface ResolvedConnection {
  readonly baseURL: string;
  readonly profile: OpenAIProfile;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: CallIdentity;
}

/** Fills in what the options leave open. */
export function resolveConnection(options: OpenAIConnection): ResolvedConnection {
  const { env } = process;
  const named =
    typeof options.profile === 'string' ? openAIProfiles[options.profile] : options.profile;
  const baseURL =
    options.baseURL ?? named?.baseURL ?? (env['OPENAI_BASE_URL'] || 'https://api.openai.com/v1');
  const profile = named ?? profileAt(baseURL);
  const fromEnvironment = profile.keyName === undefined ? undefined : env[profile.keyName];
  const apiKey = options.apiKey || fromEnvironment || undefined;
  return {
    baseURL,
    profile,
    apiKey,
    headers: options.headers ?? {},
    identity: {
      provider: profile.name,
      modelId: options.model,
      address: addressOf(baseURL),
      keyName: profile.keyName,
      secrets: [apiKey ?? '', ...secretsIn(options.headers)],
    },
  };
}

/** The key to call with; servers that need none get a word, because the SDK insists on one. */
export function keyFor({ profile, apiKey }: ResolvedConnection): string {
  if (apiKey !== undefined) return apiKey;
  if (profile.keyName === undefined) return 'none';
  throw new LLMError('auth', `there is no key: set ${profile.keyName} or pass apiKey`);
}
