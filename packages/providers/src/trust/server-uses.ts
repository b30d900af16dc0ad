import { addressOf } from '../adapter-kit/http-failure.ts';
import { ANTHROPIC_URL } from '../anthropic/options.ts';
import { openAIProfiles } from '../openai/profiles.ts';
import type { TrustUse } from './trust-file.ts';

/** The settings of a provider of models in a file. */
export interface NamedServer {
  /** The provider, such as `openai`. */
  readonly provider: string;
  /** Its address, if the file gives one. */
  readonly address?: string | undefined;
  /** The environment variable of its key, if the file names one. */
  readonly keyName?: string | undefined;
  /** Where the file says so, such as `config.yaml: providers.openai`. */
  readonly source: string;
}

interface OwnServer {
  readonly address: string;
  /** Variables that hold its key. */
  readonly keyNames: readonly string[];
  /**
   * True if its adapter sends the key of the environment to any address that it is given. `if-set`: it does,
   * and most users have none.
   */
  readonly sendsKey: boolean | 'if-set';
}

/** The servers of providers; those of profiles are known by them. */
const OWN: ReadonlyMap<string, OwnServer> = new Map([
  ...Object.entries(openAIProfiles).flatMap(([name, { baseURL, keyName }]) =>
    baseURL === undefined ? [] : [[name, own(baseURL, keyName)] as const],
  ),
  // The adapter sends the key of the environment to its own server alone.
  ['openai', { ...own(openAIProfiles.openai.baseURL ?? '', 'OPENAI_API_KEY'), sendsKey: false }],
  ['gemini', own('https://generativelanguage.googleapis.com', 'GEMINI_API_KEY', 'GOOGLE_API_KEY')],
  // Its key goes to the servers of the environment alone.
  ['anthropic', { ...own(ANTHROPIC_URL, 'ANTHROPIC_API_KEY'), sendsKey: false }],
  ['ollama', { ...own('http://localhost:11434', 'OLLAMA_API_KEY'), sendsKey: 'if-set' }],
]);

/**
 * Returns what a provider that a file describes needs consent for: an address that is neither the
 * provider's own nor on this machine, and every key that would go elsewhere than to its own provider.
 */
export function serverUses({ provider, address, keyName, source }: NamedServer): TrustUse[] {
  const known = ownOf(provider);
  const isOwnAddress = address === undefined || isAt(address, known?.address);
  const isLocal = address !== undefined && isLoopbackAddress(address);
  const isOwnKey = keyName === undefined || (known?.keyNames.includes(keyName) ?? false);
  const to = shownAddress(address ?? known?.address ?? provider);
  const uses: TrustUse[] = [];
  if (!isOwnAddress && !isLocal) {
    const text = `what you ask of ${plain(provider)} goes to ${to}`;
    uses.push({ kind: 'address', text, source });
  }
  const sent = keyName ?? (known && sentKey(known));
  const isSafeKey = isOwnKey && (isOwnAddress || (isLocal && known?.sendsKey === false));
  if (sent !== undefined && !isSafeKey) {
    uses.push({ kind: 'key', text: `the value of ${plain(sent)} goes to ${to}`, source });
  }
  return uses;
}

/**
 * Returns what a model that a file names needs consent for where a mere search asks it: a provider beyond this
 * machine, even at its own address.
 */
export function remoteModelUses({ model, source }: NamedModel): TrustUse[] {
  const known = ownOf(model);
  if (!known || isLoopbackAddress(known.address)) return [];
  const text = `your texts and searches go to ${shownAddress(known.address)}`;
  return [{ kind: 'address', text, source }];
}

/** Returns the address that a file gives to a provider, to be shown, if it is not the provider's own. */
export function foreignAddress({ provider, address }: NamedServer): string | undefined {
  if (address === undefined || isAt(address, ownOf(provider)?.address)) return undefined;
  return shownAddress(address);
}

/** Returns the variable whose value an adapter sends without a setting. */
function sentKey({ keyNames: [name], sendsKey }: OwnServer): string | undefined {
  if (name === undefined || sendsKey === false) return undefined;
  return sendsKey === true || process.env[name] ? name : undefined;
}

/** A registry takes the part before the first colon for the provider, and the rest for the model. */
function ownOf(provider: string): OwnServer | undefined {
  return OWN.get(provider.split(':', 1)[0] ?? '');
}

function own(address: string, ...keyNames: readonly (string | undefined)[]): OwnServer {
  return { address, keyNames: keyNames.filter((name) => name !== undefined), sendsKey: true };
}

/** Checks whether an address is on the same server, by the same protocol. */
function isAt(address: string, server: string | undefined): boolean {
  const [given, wanted] = [urlOf(address), server === undefined ? undefined : urlOf(server)];
  if (!given || !wanted || given.username !== '' || given.password !== '') return false;
  return given.origin === wanted.origin;
}

/** Checks whether an address is on this machine, as `fetch` reads it. */
export function isLoopbackAddress(address: string): boolean {
  const url = urlOf(address);
  if (!url) return false;
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Ollama's addresses may have no protocol. */
function urlOf(address: string): URL | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function shownAddress(address: string): string {
  return plain(addressOf(urlOf(address)?.href ?? address));
}

/** Returns a name that a stranger chose: one that could be read as more than a name is quoted. */
function plain(name: string): string {
  return /^[\w.:/@%~+=-]+$/.test(name) ? name : JSON.stringify(name);
}

/** A model that a file names. */
export interface NamedModel {
  /** Its whole name, such as `ai-sdk:@ai-sdk/mistral:mistral-large-latest`. */
  readonly model: string;
  /** The place of the name in the file, such as `participants[0].model`. */
  readonly source: string;
}

/** Returns what a model that a file names needs consent for: a package that is loaded is a program with all rights. */
export function packageUses({ model, source }: NamedModel): TrustUse[] {
  const [, name] = /^ai-sdk:([^:]*)/.exec(model) ?? [];
  if (name === undefined) return [];
  const shown = /^[\w.@/~-]+$/.test(name) ? name : JSON.stringify(name);
  return [{ kind: 'package', text: `the package ${shown} is loaded and run`, source }];
}
