import type { JsonValue } from '@vizprompt/providers';
import { checkPrices, SOURCE_KINDS } from '../arguments/engine-options.ts';
import { checkOptions } from '../arguments/check.ts';
import { DRY_RUN_KINDS } from '../arguments/run-options.ts';
import { toJsonInput } from '../engine/check-start.ts';
import { prepareLanguages } from '../language/prepare.ts';
import { assertFits } from '../run/assert-fits.ts';
import { loadDefinitions } from '../load/load-definitions.ts';
import type { DefinitionSources } from '../load/collect.ts';
import type { DryRun, DryRunOptions } from './dry-run-result.ts';
import { DryRunner } from './dry-runner.ts';
import type { Definitions } from '../definition/definitions.ts';

/**
 * Renders every prompt that a workflow can reach with an input, and tells what a run would take at least and at
 * most: over all branches, loops of one to `maxRounds` rounds, lists of known or assumed length, and answers of one
 * token to `maxOutputTokens`. No model is called. Retries, repairs and fallbacks are not counted, and errors lead
 * nowhere.
 *
 * @throws WorkflowError with the codes of `WorkflowEngine.open` and `start`, and `not-found` for a workflow, a prompt set or
 * what it lacks.
 *
 * @example
 * ```ts
 * const { prompts, inputTokens, costUsd } = await dryRun({ files: 'flows.yaml' }, 'story', 'a cat', { prices });
 * ```
 */
export async function dryRun(
  sources: DefinitionSources,
  workflow: string,
  input: JsonValue,
  options: DryRunOptions = {},
): Promise<DryRun> {
  checkOptions('dryRun', sources, SOURCE_KINDS);
  return dryRunDefinitions(await loadDefinitions(sources), workflow, input, options);
}

/** As {@link dryRun}, of what is loaded already. */
export async function dryRunDefinitions(
  definitions: Definitions,
  workflow: string,
  input: JsonValue,
  options: DryRunOptions = {},
): Promise<DryRun> {
  checkOptions('dryRun', options, DRY_RUN_KINDS);
  checkPrices(options.prices);
  const userInput = toJsonInput(input);
  await prepareLanguages();
  const runner = new DryRunner(definitions, workflow, options);
  const inputs = definitions.workflows[workflow]?.inputs;
  if (inputs) await assertFits(inputs, userInput, `user_input of '${workflow}'`);
  return runner.run(userInput);
}
