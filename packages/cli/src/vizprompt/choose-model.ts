import type { OpenOptions, VizPrompt } from '@vizprompt/core';
import { messageOf } from '@vizprompt/providers';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { VizpromptMessages } from './messages/vizprompt-messages.ts';

/** `--model` and `--base-url`. */
export interface ModelChoice {
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
