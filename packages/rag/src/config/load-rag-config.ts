import { relative, resolve } from 'node:path';
import { messageOf, type JsonValue } from '@vizprompt/providers';
import {
  decodeUtf8,
  JsonSyntaxError,
  type JsonText,
  nearestName,
  parseJsonText,
  type TextPlace,
} from '@vizprompt/providers/config';
import { assertTrusted, type TrustOption } from '@vizprompt/providers/trust';
import { isMissing, readNamedFile, readPlainFile, isError } from '@vizprompt/providers/internal';
import {
  either,
  FLAG,
  FUNCTION,
  type Kinds,
  OBJECT,
  optional,
  placeAt,
  TEXT,
  TEXTS,
  zodProblem,
} from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { settingsUses } from './config-trust.ts';
import {
  knownKeys,
  type OutsideSetting,
  readEnvFiles,
  settingsOfArguments,
  settingsOfEnvironment,
} from './settings-from-outside.ts';
import type { RagConfig } from './rag-config.ts';

/** Where the settings are looked for, below the working directory. */
const CONFIG_FILE = 'config/dialogoi.config.json';

/** Options of {@link loadRagConfig}. */
export interface LoadRagConfigOptions {
  /** Words of a command line, such as `['--project-root', './novels', '--max-tokens=300']`. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Variables, `DIALOGOI_MAX_TOKENS` and the like. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The settings file. One that is named must be there. Default: `config/dialogoi.config.json`, if it is. */
  readonly file?: string | undefined;
  /** Goes over all that is said elsewhere. */
  readonly projectRoot?: string | undefined;
  /** The base of relative paths. Default: `process.cwd()`. */
  readonly cwd?: string | undefined;
  /**
   * True if `config/.env` and `.env` of `cwd` are read, as the commands do: settings (`DIALOGOI_MAX_TOKENS`), which count
   * as those of the settings file, and keys of providers (`OPENAI_API_KEY`), which are set in `process.env`. Nothing goes
   * over what is set, and other variables are not taken. Default: `false`.
   */
  readonly envFile?: boolean | undefined;
  /**
   * Consent to what the settings file asks for: a server of vectors that is not on this machine, the key
   * of the environment for that server, and a `projectRoot` outside of `cwd`. `true` for
   * a file of yours, or a function that is asked. Default: what `vizprompt trust` recorded.
   */
  readonly trust?: TrustOption | undefined;
}

const KINDS: Kinds<LoadRagConfigOptions> = {
  args: optional(TEXTS),
  env: optional(OBJECT),
  file: optional(TEXT),
  projectRoot: optional(TEXT),
  cwd: optional(TEXT),
  envFile: optional(FLAG),
  trust: optional(either(FLAG, FUNCTION)),
};

/** The largest settings file. */
const MAX_BYTES: number = 4 << 20;

const START: TextPlace = { line: 1, column: 1 };

/** The file as it was read; no file is an empty one. */
interface SettingsFile {
  readonly name: string;
  readonly json?: JsonText;
}

/**
 * Returns the settings: arguments over environment variables over the file over defaults.
 *
 * @throws RagError with the code `config-invalid`, which names the file with line and column, or the
 * argument or variable, and the key; for a key that is not known also the one that is near it.
 * @throws TrustError with the code `untrusted` if the file asks for consent that was not given.
 * @example
 * ```ts
 * const config = await loadRagConfig({ args: process.argv.slice(2) });
 * ```
 */
export async function loadRagConfig(options: LoadRagConfigOptions = {}): Promise<RagConfig> {
  checkOptions('loadRagConfig', options, KINDS);
  const { args = [], env = process.env, cwd = process.cwd(), projectRoot } = options;
  const file = await readSettings(options.file, cwd);
  const envFiles = options.envFile === true ? readEnvFiles(cwd, env) : undefined;
  const outside = [
    ...(envFiles?.settings ?? []),
    ...settingsOfEnvironment(env),
    ...settingsOfArguments(args),
  ];
  if (projectRoot !== undefined) {
    outside.push({ path: ['projectRoot'], value: projectRoot, origin: 'projectRoot' });
  }
  const origins = new Map<string, OutsideSetting>();
  const merged = merge(objectOf(file), outside, origins);

  const { configSchema } = await import('./config-schema.ts');
  const result = configSchema.safeParse(merged, { error: zodProblem });
  if (!result.success) throw problemOf(result.error.issues, file, origins);
  const place = resolve(cwd, options.file ?? CONFIG_FILE);
  const ours = [...origins].flatMap(([key, { origin, isOfProject }]) =>
    isOfProject === true ? [] : [[key, origin] as const],
  );
  const isOfProject = file.json !== undefined || origins.size > ours.length;
  const toTrust = { config: result.data, cwd, origins: new Map(ours), keys: envFiles?.keys };
  const uses = isOfProject || envFiles?.keys.size ? settingsUses(toTrust) : [];
  await assertTrusted({ place: file.json ? place : cwd, uses }, options.trust);
  for (const [name, { value }] of envFiles?.keys ?? []) process.env[name] ??= value;
  const { log, thesaurus, ...config } = result.data;
  return {
    ...config,
    ...(log ? { log: { ...log, file: resolve(cwd, log.file) } } : {}),
    ...(thesaurus === undefined ? {} : { thesaurus: resolve(cwd, thesaurus) }),
    projectRoot: resolve(cwd, config.projectRoot),
  };
}

async function readSettings(named: string | undefined, cwd: string): Promise<SettingsFile> {
  const path = resolve(cwd, named ?? CONFIG_FILE);
  const name = named ?? relative(cwd, path);
  let bytes: Uint8Array | undefined;
  try {
    const limits = { maxBytes: MAX_BYTES };
    bytes = named === undefined ? readPlainFile(path, limits) : await readNamedFile(path, limits);
  } catch (cause) {
    const isGone = isError(cause) && isMissing(cause.cause);
    const why = isGone ? 'is not there' : `cannot be read: ${messageOf(cause)}`;
    throw new RagError('config-invalid', `the settings file ${name} ${why}`, {
      cause,
      context: { file: path },
    });
  }
  if (!bytes) return { name };
  const { text, problem } = decodeUtf8(bytes);
  if (problem) throw invalidFile(name, placeAt(text, text.length), problem, []);
  if (text.trim() === '') {
    throw invalidFile(name, START, 'the file is empty: write {} for the defaults', []);
  }
  try {
    return { name, json: parseJsonText(text) };
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw invalidFile(name, cause.place, cause.message, []);
  }
}

function objectOf({ name, json }: SettingsFile): Readonly<Record<string, JsonValue>> {
  if (!json) return {};
  if (isObject(json.value)) return json.value;
  throw invalidFile(name, json.placeOf([]), 'the settings must be an object', []);
}

type Tree = { [key: string]: JsonValue | Tree };

/** Later settings go over earlier ones. */
function merge(
  file: Readonly<Record<string, JsonValue>>,
  outside: readonly OutsideSetting[],
  origins: Map<string, OutsideSetting>,
): Tree {
  const merged: Tree = structuredClone(file);
  for (const setting of outside) {
    const { path, value, origin } = setting;
    // A key of Qdrant in the environment turns no vectors on.
    if (path[0] === 'vector' && path.length > 1 && !isObject(merged['vector'])) {
      if (!origin.startsWith('--')) continue;
      const message = `${origin} needs 'vector' to be an object: it is "none" (vectors are turned on in the settings file)`;
      throw new RagError('config-invalid', message, { context: { origin } });
    }
    let place = merged;
    for (const part of path.slice(0, -1)) {
      const below = place[part];
      place = isObject(below) ? below : (place[part] = {});
    }
    const last = path.at(-1) ?? '';
    place[last] = value;
    origins.set(path.join('.'), setting);
  }
  return merged;
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

function problemOf(
  issues: readonly Issue[],
  file: SettingsFile,
  origins: ReadonlyMap<string, OutsideSetting>,
): RagError {
  const all = issues.map(innermost);
  // The missing key may be the one that was mistyped.
  const first = all.find((issue) => issue.unknown !== undefined) ?? all[0];
  const { path, message, unknown } = first ?? { path: [], message: 'not valid' };
  const key = path.map(String).join('.');
  const isAbsent = unknown === undefined && message.endsWith('got nothing');
  const wrong = isAbsent ? `'${key}' is missing` : `'${key}': ${message}`;
  const problem = unknown === undefined ? wrong : adviceFor(unknown, path);
  const origin = origins.get(key)?.origin;
  if (origin !== undefined) {
    return new RagError('config-invalid', `${origin}: ${problem}`, { context: { origin, key } });
  }
  const place =
    unknown === undefined ? file.json?.placeOf(path) : file.json?.placeOf([...path, unknown], true);
  return invalidFile(file.name, place ?? START, problem, path);
}

/** Returns the issue of the alternative of a union that got furthest. */
function innermost(issue: Issue): Issue & { readonly unknown?: string } {
  const [deepest] = (issue.errors ?? [])
    .flat()
    .map((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }))
    .toSorted(
      (a, b) =>
        Number(b.unknown !== undefined) - Number(a.unknown !== undefined) ||
        b.path.length - a.path.length,
    );
  const isDeeper = deepest && (deepest.path.length > issue.path.length || deepest.unknown);
  if (isDeeper) return deepest;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys?.[0] : undefined;
  if (deepest) return { ...issue, message: 'it must be "none" or an object' };
  return unknown === undefined ? issue : { ...issue, unknown };
}

function adviceFor(unknown: string, path: readonly PropertyKey[]): string {
  const known = knownKeys(path);
  const nearest = nearestName(unknown, known);
  const key = [...path.map(String), unknown].join('.');
  const way = nearest === undefined ? `known are ${known.join(', ')}` : `is '${nearest}' meant?`;
  return `the key '${key}' is not known: ${way}`;
}

function invalidFile(
  name: string,
  { line, column }: TextPlace,
  problem: string,
  path: readonly PropertyKey[],
): RagError {
  return new RagError('config-invalid', `${name}:${line}:${column}: ${problem}`, {
    context: { file: name, line, column, key: path.map(String).join('.') },
  });
}

function isObject(value: unknown): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
