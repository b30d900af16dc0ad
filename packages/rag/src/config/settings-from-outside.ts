import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf } from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import { readPlainFile } from '@vizprompt/providers/internal';
import { decodeText } from '../encoding/decode-text.ts';
import { RagError } from '../errors.ts';

/** A value that does not come from the file. */
export interface OutsideSetting {
  readonly path: readonly [string, ...string[]];
  readonly value: string | number | boolean;
  /** The source of the setting, for messages: `--max-tokens`, or the name of a variable. */
  readonly origin: string;
  /** True if it is from a file of the project, so that the user has to consent to what it asks for. */
  readonly isOfProject?: true;
}

/** @throws RagError with the code `config-invalid` for arguments that are not known or lack a value. */
export function settingsOfArguments(args: readonly string[]): readonly OutsideSetting[] {
  const rest = [...args];
  const settings: OutsideSetting[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name, inline] = splitOnce(word, '=');
    const known = CONFIG_KEYS.find(({ argument }) => argument === name);
    if (!known) throw unknownArgument(name);
    const text = inline ?? nextValue(rest);
    if (text === undefined) {
      if (known.kind !== 'flag') throw invalid(`${name} needs a value`, name);
      settings.push({ path: known.path, value: true, origin: name });
    } else {
      settings.push({ path: known.path, value: valueOf(text, known, name), origin: name });
    }
  }
  return settings;
}

/**
 * Variables that are empty count as absent.
 *
 * @param file - The file of the project that they are from. Absent: the environment.
 */
export function settingsOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  file?: string,
): readonly OutsideSetting[] {
  return CONFIG_KEYS.flatMap((known): readonly OutsideSetting[] => {
    const { path, variable } = known;
    const text = env[variable];
    if (text === undefined || text === '') return [];
    const origin = file === undefined ? variable : `${variable} of ${file}`;
    const setting = { path, value: valueOf(text, known, origin), origin };
    return [file === undefined ? setting : { ...setting, isOfProject: true }];
  });
}

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function nextValue(rest: string[]): string | undefined {
  return rest[0] === undefined || rest[0].startsWith('--') ? undefined : rest.shift();
}

function valueOf(text: string, { kind }: ConfigKey, origin: string): string | number | boolean {
  if (kind === 'text') return text;
  if (kind === 'number') {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number)) return number;
    throw invalid(`${origin}: expected a number, got '${text}'`, origin);
  }
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  if (/^(?:false|0|no|off)$/i.test(text)) return false;
  throw invalid(`${origin}: expected true or false, got '${text}'`, origin);
}

function unknownArgument(name: string): RagError {
  const known = CONFIG_KEYS.map(({ argument }) => argument);
  const nearest = nearestName(name, known);
  const way = nearest === undefined ? `known are ${known.join(', ')}` : `is ${nearest} meant?`;
  return invalid(`the argument '${name}' is not known: ${way}`, name);
}

function invalid(message: string, origin: string): RagError {
  return new RagError('config-invalid', message, { context: { origin } });
}

/** How the text of an argument or variable becomes a value. */
type ValueKind = 'text' | 'number' | 'flag';

/** A key of the settings that can also be given from outside. */
interface ConfigKey {
  readonly path: readonly [string, ...string[]];
  /** `--project-root`. */
  readonly argument: string;
  /** `DIALOGOI_PROJECT_ROOT`. */
  readonly variable: string;
  readonly kind: ValueKind;
}

function key(path: string, name: string, kind: ValueKind): ConfigKey {
  const [first = '', ...rest] = path.split('.');
  return {
    path: [first, ...rest],
    argument: `--${name}`,
    variable: `DIALOGOI_${name.toUpperCase().replaceAll('-', '_')}`,
    kind,
  };
}

/** All of them, in the order of the file. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  key('vector', 'vector', 'text'),
  key('vector.enabled', 'vector-enabled', 'flag'),
  key('vector.provider', 'vector-provider', 'text'),
  key('vector.qdrant.url', 'qdrant-url', 'text'),
  key('vector.qdrant.apiKey', 'qdrant-api-key', 'text'),
  key('vector.qdrant.collection', 'qdrant-collection', 'text'),
  key('vector.embedding.model', 'embedding-model', 'text'),
  key('vector.embedding.dimensions', 'embedding-dimensions', 'number'),
  key('vector.fusion.gate', 'vector-gate', 'number'),
  key('vector.fusion.weight', 'vector-weight', 'number'),
  key('backend', 'backend', 'text'),
  key('database', 'database', 'text'),
  key('projectRoot', 'project-root', 'text'),
  key('chunk.maxTokens', 'max-tokens', 'number'),
  key('chunk.overlap', 'overlap', 'number'),
  key('chunk.chapters', 'chapters', 'flag'),
  key('thesaurus', 'thesaurus', 'text'),
  key('flex.profile', 'flex-profile', 'text'),
  key('search.defaultK', 'default-k', 'number'),
  key('search.maxK', 'max-k', 'number'),
  key('search.romaji', 'romaji', 'flag'),
  key('log.file', 'log-file', 'text'),
  key('log.level', 'log-level', 'text'),
];

/** Returns the names of keys below a path, to suggest for a mistyped one. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const names = CONFIG_KEYS.filter((known) => {
    return path.every((part, index) => known.path[index] === part);
  }).flatMap((known) => known.path[path.length] ?? []);
  return [...new Set(names)];
}

/** Files of variables next to the settings; the first that has a variable counts. */
const FILES: readonly string[] = [join('config', '.env'), '.env'];
const MAX_BYTES: number = 1 << 20;

/** A key of a provider. Addresses are not taken from a file: a key of the environment would go there. */
const KEY = /^(?!DIALOGOI_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_API_KEY$/;

/** The content of the files of variables, as far as it is of use. */
interface EnvFileValues {
  /** Settings, such as `DIALOGOI_MAX_TOKENS`. They count as those of the settings file: consent is asked for. */
  readonly settings: readonly OutsideSetting[];
  /** Keys of providers that are not set, by their names, with the file of each. */
  readonly keys: ReadonlyMap<string, { readonly value: string; readonly file: string }>;
}

/**
 * Reads `config/.env` and `.env` of a folder with the parser of Node. It takes only settings and keys of
 * providers, and only variables that are not set: others could start programs, or send keys elsewhere.
 *
 * @param env - The variables that are set.
 * @throws RagError with the code `config-invalid`.
 */
export function readEnvFiles(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): EnvFileValues {
  const settings: OutsideSetting[] = [];
  const keys = new Map<string, { readonly value: string; readonly file: string }>();
  // A setting goes over those before it.
  for (const file of FILES.toReversed()) {
    const own: Record<string, string> = {};
    for (const [name, value = ''] of Object.entries(variablesOf(cwd, file))) {
      if (env[name] !== undefined) continue;
      if (KEY.test(name) && value !== '') keys.set(name, { value, file });
      else own[name] = value;
    }
    settings.push(...settingsOfEnvironment(own, file));
  }
  return { settings, keys };
}

function variablesOf(cwd: string, file: string): NodeJS.Dict<string> {
  const path = join(cwd, file);
  try {
    // Editors of Windows save it in UTF-16, or with a mark before its first variable.
    const bytes = readPlainFile(path, { maxBytes: MAX_BYTES }) ?? Buffer.of();
    const text = decodeText(bytes);
    if (text === undefined && isWide(bytes)) throw new Error('it is no text: save it as UTF-8');
    // A comment in another encoding hides no variable.
    return parseEnv(text ?? bytes.toString());
  } catch (cause) {
    const message = `${file} cannot be read: ${messageOf(cause)}`;
    throw new RagError('config-invalid', message, { cause, context: { file: path } });
  }
}

/** Checks whether bytes begin with the mark of UTF-16 or UTF-32. */
function isWide(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third, fourth] = bytes;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);
}
