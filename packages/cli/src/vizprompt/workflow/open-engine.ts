import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TurnRecorder } from '@vizprompt/providers';
import type { WorkflowEngine, WorkflowEngineOptions } from '@vizprompt/workflow';
import type { DbosOptions } from '@vizprompt/workflow/dbos';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { nearestFolder } from '../../frame/paths.ts';
import type { VizpromptMessages } from '../messages/en.ts';

/** An engine with the runs of a folder. */
export interface OpenedEngine extends AsyncDisposable {
  readonly engine: WorkflowEngine;
  readonly folder: string;
}

/** The options of an engine besides the content of the folder. */
export interface EngineToOpen {
  readonly options: Omit<WorkflowEngineOptions, 'storage' | 'recorders'>;
  /** True if a place for runs is made where there is none. */
  readonly make?: boolean;
  /** True if runs are kept in the project of the folder, too. */
  readonly record?: boolean;
  /** Where workers lead the runs, instead of this process. */
  readonly workers?: DbosOptions | undefined;
}

const OWN = '.vizprompt';

/** Returns the folder whose runs are meant: `--data`, or the nearest one upwards that has some, or a place for them. */
function runsFolder(cli: Cli<VizpromptMessages>): string {
  if (cli.data !== undefined) return resolve(cli.cwd, cli.data);
  return nearestFolder(cli.cwd, [OWN]) ?? cli.cwd;
}

/**
 * Opens an engine on the runs of the folder.
 *
 * @throws CliError `not-found` if there are none, and no place for them is to be made.
 */
export async function openEngine(
  cli: Cli<VizpromptMessages>,
  { options, make = false, record = false, workers }: EngineToOpen,
): Promise<OpenedEngine> {
  const folder = runsFolder(cli);
  if (workers) return openRemote(folder, options, workers);
  if (!make && !existsSync(join(folder, OWN, 'database.db'))) {
    throw new CliError('not-found', cli.text.workflow.noRuns(folder), { context: { folder } });
  }
  const { openStorage } = await import('@vizprompt/providers/node');
  const { WorkflowEngine: Engine } = await import('@vizprompt/workflow');
  const opened: AsyncDisposable[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened.toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const recorders: TurnRecorder[] = [];
    if (record) {
      const { VizPrompt } = await import('@vizprompt/core');
      const vizprompt = await VizPrompt.open(folder, { create: false });
      opened.push(vizprompt);
      recorders.push(vizprompt.recorder());
    }
    const storage = await openStorage(folder);
    opened.push(storage);
    const engine = await Engine.open({ ...options, storage, recorders });
    opened.push(engine);
    return { engine, folder, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRemote(
  folder: string,
  options: EngineToOpen['options'],
  workers: DbosOptions,
): Promise<OpenedEngine> {
  const { dbos } = await import('@vizprompt/workflow/dbos');
  const { WorkflowEngine: Engine } = await import('@vizprompt/workflow');
  const engine = await Engine.open({ ...options, runtime: dbos(workers) });
  return { engine, folder, [Symbol.asyncDispose]: () => engine.close() };
}
