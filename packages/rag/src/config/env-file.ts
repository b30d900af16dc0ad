import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf } from '@vizprompt/providers';
import { readPlainFile } from '@vizprompt/providers/internal';
import { decodeText } from '../encoding/decode-text.ts';
import { RagError } from '../errors.ts';
import { settingsOfEnvironment, type OutsideSetting } from './settings-from-outside.ts';

/** Files of variables next to the settings; the first that has a variable counts. */
const FILES: readonly string[] = [join('config', '.env'), '.env'];
const MAX_BYTES: number = 1 << 20;

/** A key of a provider. Addresses are not taken from a file: a key of the environment would go there. */
const KEY = /^(?!DIALOGOI_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_API_KEY$/;

/** The content of the files of variables, as far as it is of use. */
export interface EnvFileValues {
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
