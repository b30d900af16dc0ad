import { nearestName } from '@vizprompt/providers/config';
import { RagError } from '../errors.ts';
import { CONFIG_KEYS, type ConfigKey } from './config-keys.ts';

/** A value that does not come from the file. */
export interface OutsideSetting {
  readonly path: readonly [string, ...string[]];
  readonly value: string | number | boolean;
  /** Who says so, for messages: `--max-tokens`, or the name of a variable. */
  readonly origin: string;
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

/** Variables that are empty count as absent. */
export function settingsOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): readonly OutsideSetting[] {
  return CONFIG_KEYS.flatMap((known) => {
    const text = env[known.variable];
    if (text === undefined || text === '') return [];
    const value = valueOf(text, known, known.variable);
    return [{ path: known.path, value, origin: known.variable }];
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
    throw invalid(`${origin} must be a number, not '${text}'`, origin);
  }
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  if (/^(?:false|0|no|off)$/i.test(text)) return false;
  throw invalid(`${origin} must be true or false, not '${text}'`, origin);
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
