import { accessSync, constants, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OpenOptions, VizPrompt } from '@vizprompt/core';
import { messageOf } from '@vizprompt/providers';
import { CliError } from '../errors.ts';
import { type Cli, remark } from '../frame/cli.ts';
import { consentOf, showAddress } from '../frame/consent.ts';
import { ProgressBar } from '../frame/progress-bar.ts';
import { foldersUpwards } from '../frame/paths.ts';
import type { VizpromptMessages } from './messages/en.ts';

const CONFIG = 'config.yaml';

/** Many programs have a `config.yaml`; only a project has one of these next to it. */
const BESIDE = ['.vizprompt', 'nodes', 'flows', 'metadata'];

/**
 * Returns the folder of the project: `--data`, or the nearest one upwards.
 *
 * @throws CliError `not-found` if there is none.
 */
export function projectFolder(cli: Cli<VizpromptMessages>): string {
  if (cli.data !== undefined) {
    const folder = resolve(cli.cwd, cli.data);
    if (existsSync(join(folder, CONFIG))) return folder;
    throw new CliError('not-found', cli.text.noProject(folder), { context: { folder } });
  }
  const found = foldersUpwards(cli.cwd).find(
    (folder) =>
      existsSync(join(folder, CONFIG)) && BESIDE.some((name) => existsSync(join(folder, name))),
  );
  if (found !== undefined) return found;
  throw new CliError('not-found', cli.text.noProjectUpwards(cli.cwd), {
    context: { folder: cli.cwd },
  });
}

/** Checks whether this user may write into a project: one that lies elsewhere is often there to be read only. */
function canWrite(folder: string): boolean {
  try {
    for (const path of [folder, join(folder, '.vizprompt')].filter(existsSync)) {
      accessSync(path, constants.W_OK);
    }
    return true;
  } catch {
    return false;
  }
}

/** How a project is opened. */
export interface ProjectOptions extends Pick<OpenOptions, 'model' | 'registry'> {
  /** True if the command changes nothing, so that a folder will do that cannot be written. Default: `false`. */
  readonly onlyReads?: boolean | undefined;
}

/**
 * Opens the project. Files that cannot be understood are reported on standard error, and the rest is open.
 *
 * @throws CliError `not-found` if there is none, `failed` if it cannot be written and is to be.
 */
export async function openProject(
  cli: Cli<VizpromptMessages>,
  { onlyReads = false, ...options }: ProjectOptions = {},
): Promise<VizPrompt> {
  const folder = projectFolder(cli);
  const isWritable = canWrite(folder);
  if (!isWritable && !onlyReads) {
    throw new CliError('failed', cli.text.cannotWrite(folder), { context: { folder } });
  }
  const { VizPrompt: Project, formatPlace, readProjectTrust } = await import('@vizprompt/core');
  using bar = new ProgressBar(cli.err, cli.text.opening);
  if (options.registry) {
    const { address } = await readProjectTrust(folder);
    if (address !== undefined) await showAddress(cli, address, CONFIG);
  }
  return await Project.open(folder, {
    ...options,
    trust: consentOf(cli),
    create: false,
    ...(isWritable ? {} : { lock: 'read-only' }),
    on: {
      'index:progress': ({ done, total }) => bar.update(done, total),
      'problem:found': (problem) => {
        void remark(cli, cli.text.problem(formatPlace(problem), problem.message));
      },
    },
  });
}

/** `--model` and `--base-url`. */
interface ModelChoice {
  /** `provider:name`; `true`: that of `config.yaml`, as if it were absent. */
  readonly model?: string | true | undefined;
  readonly baseUrl?: string | undefined;
}

/**
 * With which model a project is opened: the one that was named, or whichever `config.yaml` names.
 *
 * @throws CliError `usage` if there is no such provider.
 */
export async function chooseModel(
  cli: Cli<VizpromptMessages>,
  { model, baseUrl }: ModelChoice,
): Promise<Pick<OpenOptions, 'model' | 'registry'>> {
  if (baseUrl !== undefined && typeof model !== 'string') {
    throw new CliError('usage', cli.text.needsModel);
  }
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  const registry = createModelRegistry();
  if (typeof model !== 'string') return { registry };
  try {
    return { model: registry.model(model, baseUrl === undefined ? {} : { baseURL: baseUrl }) };
  } catch (error) {
    throw new CliError('usage', messageOf(error), { cause: error, context: { model } });
  }
}

/**
 * That the project has the model that was asked for: `config.yaml` may name none.
 *
 * @throws CliError `usage`.
 */
export function assertModel(cli: Cli<VizpromptMessages>, vizprompt: VizPrompt): void {
  if (!vizprompt.hasModel) throw new CliError('usage', cli.text.noModel);
}
