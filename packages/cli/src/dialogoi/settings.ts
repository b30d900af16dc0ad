import { resolve } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from '../frame/cli.ts';
import type { DialogoiMessages } from './messages/en.ts';

/** Settings that are paths. */
const PATHS: ReadonlySet<SettingName> = new Set(['project-root', 'thesaurus']);

/** Declares the options of all settings. */
export function addSettings(command: CommandUnknownOpts, cli: Cli<DialogoiMessages>): void {
  for (const [name, value] of entriesOf(SETTINGS)) {
    command.option(`--${name} ${value}`, cli.text.settings[name]);
  }
}

/** Those that were given, as words for `loadRagConfig`. Paths are those of the current folder. */
export function settingsGiven(
  command: CommandUnknownOpts,
  cli: Cli<DialogoiMessages>,
): readonly string[] {
  const given: Readonly<Record<string, unknown>> = command.opts();
  return entriesOf(SETTINGS).flatMap(([name]) => {
    const value = given[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value !== 'string' && typeof value !== 'boolean') return [];
    const text = `${value}`;
    return [`--${name}=${PATHS.has(name) ? resolve(cli.cwd, text) : text}`];
  });
}

function entriesOf(settings: typeof SETTINGS): readonly (readonly [SettingName, string])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the constant
  return Object.entries(settings) as [SettingName, string][];
}

/** All settings that a command line may give, with what each takes. */
const SETTINGS = {
  'project-root': '<folder>',
  backend: '<name>',
  database: '<url>',
  'max-tokens': '<n>',
  overlap: '<share>',
  chapters: '[boolean]',
  'default-k': '<n>',
  'max-k': '<n>',
  romaji: '[boolean]',
  thesaurus: '<file>',
  'flex-profile': '<name>',
  'log-file': '<file>',
  'log-level': '<level>',
  vector: '<none>',
  'vector-enabled': '[boolean]',
  'vector-provider': '<name>',
  'qdrant-url': '<url>',
  'qdrant-api-key': '<key>',
  'qdrant-collection': '<name>',
  'embedding-model': '<model>',
  'embedding-dimensions': '<n>',
  'vector-gate': '<share>',
  'vector-weight': '<n>',
} as const;

/** The name of a setting: `max-tokens`. */
type SettingName = keyof typeof SETTINGS;
