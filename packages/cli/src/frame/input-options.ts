import { Option, type Command } from '@commander-js/extra-typings';
import {
  jsonSchemaOf,
  type AnyKinds,
  type InputOf,
  type JsonSchema,
  type Kind,
} from '@vizprompt/providers/config/internal';
import type { Cli } from './cli.ts';
import { pathValue, timeValue, wholeNumber } from './option-values.ts';

/** The options that a method takes, of those that a command line can give. */
type Given<Fields extends AnyKinds> = InputOf<Fields>;

/**
 * Adds the options that a method takes, with their texts in the language of the user. Options that only code can give are left
 * out; a new option of the method needs no change of its command.
 *
 * @param flags - Other words for options, such as `limit` for `k`.
 */
export function withInput<Args extends unknown[], Fields extends AnyKinds, Messages>(
  command: Command<Args>,
  cli: Cli<Messages>,
  fields: Fields,
  flags: { readonly [Key in keyof Fields]?: string } = {},
): Command<Args, Given<Fields>> {
  for (const [key, kind] of Object.entries(fields)) {
    const schema = jsonSchemaOf(kind);
    if (!schema || kind.isCodeOnly === true) continue;
    const flag = flags[key] ?? key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = optionOf(cli, flag, kind, schema);
    // Its value is found by the name that it has in code.
    option.attributeName = () => key;
    command.addOption(option);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options of the fields were added
  return command as unknown as Command<Args, Given<Fields>>;
}

function optionOf<Messages>(
  cli: Cli<Messages>,
  flag: string,
  kind: Kind,
  schema: JsonSchema,
): Option {
  const text = cli.language === 'ja' ? kind.ja : lowered(kind.en);
  if (schema['type'] === 'boolean') return new Option(`--${flag}`, text);
  const isWhole = schema['type'] === 'integer';
  const option = new Option(`--${flag} <${isWhole ? 'n' : (kind.reads ?? flag)}>`, text);
  const { enum: choices } = { ...kind.items?.json, ...kind.json };
  if (Array.isArray(choices)) option.choices(choices.map(String));
  if (isWhole) option.argParser(wholeNumber(cli, { min: Number(schema['minimum'] ?? 0) }));
  if (kind.reads === 'time') option.argParser(timeValue(cli));
  if (kind.reads === 'path') option.argParser(pathValue(cli));
  return kind.default === undefined ? option : option.default(kind.default);
}

/** In a list of options sentences begin with a small letter. */
function lowered(text: string | undefined): string | undefined {
  return text?.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
