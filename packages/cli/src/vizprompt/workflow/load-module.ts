import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import type { WorkflowEngineOptions } from '@vizprompt/workflow';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

const NAMES = ['functions', 'tools', 'retrievers', 'activities', 'models', 'middleware'] as const;

/** The services for steps besides models, as a module exports them. */
export type StepModule = Pick<WorkflowEngineOptions, (typeof NAMES)[number]>;

/**
 * Loads what `--module` names; it is a program, and runs with all rights.
 *
 * @throws CliError `input-unreadable` if it is not there or throws.
 */
export async function loadModule(
  cli: Cli<VizpromptMessages>,
  file: string | undefined,
): Promise<StepModule> {
  if (file === undefined) return {};
  try {
    const url = pathToFileURL(resolve(cli.cwd, file)).href;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine looks at each
    const exported = (await import(url)) as StepModule;
    const given = NAMES.filter((name) => exported[name] !== undefined);
    return Object.fromEntries(given.map((name) => [name, exported[name]]));
  } catch (cause) {
    const message = cli.text.workflow.noModule(file, messageOf(cause));
    throw new CliError('input-unreadable', message, { cause, context: { file } });
  }
}
