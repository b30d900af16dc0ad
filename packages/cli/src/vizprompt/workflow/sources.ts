import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { DefinitionSources } from '@vizprompt/workflow';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { pathHere } from '../../frame/path-here.ts';
import { foldersUpwards } from '../../frame/project-folder.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { pairs, several } from './option-values.ts';

/** Where files lie that are not named, in each of the formats. */
const WORKFLOWS = formats('config/workflow_config');
const PROMPTS = formats('prompts/default_prompts');

/** Declares where workflows and prompt sets come from. */
export function addSources(command: CommandUnknownOpts, cli: Cli<VizpromptMessages>): void {
  const { workflow } = cli.text;
  command
    .option('--file <path>', workflow.file, several)
    .option('--prompts <name=file>', workflow.prompts, pairs(cli, 'NAME=FILE'));
}

/**
 * Returns the files that were named, or those of the nearest folder upwards that has some.
 *
 * @param named - Files that were named in another way than by `--file`.
 * @throws CliError `usage` if there are none.
 */
export function sourcesOf(
  command: CommandUnknownOpts,
  cli: Cli<VizpromptMessages>,
  named: readonly string[] = [],
): DefinitionSources {
  const options: {
    readonly file?: readonly string[];
    readonly prompts?: readonly (readonly [string, string])[];
  } = command.opts();
  const { file = [], prompts = [] } = options;
  const given = [...named, ...file];
  const files = given.length > 0 ? given.map((path) => pathHere(cli, path)) : usualFiles(cli);
  if (files.length === 0) throw new CliError('usage', cli.text.workflow.noFiles);
  return { files, promptSets: promptSetsOf(cli, prompts) };
}

function promptSetsOf(
  cli: Cli<VizpromptMessages>,
  prompts: readonly (readonly [name: string, file: string])[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(prompts.map(([name, file]) => [name, pathHere(cli, file)]));
}

function usualFiles({ cwd }: Cli<VizpromptMessages>): readonly string[] {
  for (const folder of foldersUpwards(cwd)) {
    const find = (names: readonly string[]): string | undefined =>
      names.map((name) => join(folder, name)).find((path) => existsSync(path));
    const workflows = find(WORKFLOWS);
    if (workflows === undefined) continue;
    const prompts = find(PROMPTS);
    return prompts === undefined ? [workflows] : [workflows, prompts];
  }
  return [];
}

function formats(path: string): readonly string[] {
  return ['.json', '.yaml', '.yml'].map((end) => path + end);
}
