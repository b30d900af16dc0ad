import { checkModels as checkModelsGiven, SOURCE_KINDS } from '../arguments/engine-options.ts';
import { checkArgument, checkOptions } from '../arguments/check.ts';
import { LINT_KINDS } from '../arguments/run-options.ts';
import { checkDefinitions, workflowChecks } from '../check/check-definitions.ts';
import type { WorkflowCheck } from '../check/workflow-check.ts';
import { prepareLanguages } from '../language/prepare.ts';
import { collect } from '../load/collect.ts';
import type { WorkflowSource } from '../options.ts';
import type { Finding } from '../problems/finding.ts';
import type { Problem } from '../problems/problem.ts';
import { toProblems } from '../problems/to-problems.ts';
import { checkConditionTypes } from './conditions.ts';
import { checkEngineNames, checkModels } from './engine-names.ts';
import { checkFlow } from './flow-findings.ts';
import type { LintOptions } from './lint-options.ts';
import { checkPromptFields } from './prompt-fields.ts';
import { checkPromptUses } from './prompts.ts';
import { checkRecursion } from './recursion.ts';
import { checkRetryCodes } from './retry-codes.ts';
import { checkVariables } from './variables.ts';

/**
 * Everything that is wrong with files, or most likely is, with places and what to do: all that hinders
 * `WorkflowEngine.open`, and what would only show in a run. Files are not changed, and nothing is thrown for what
 * is in them.
 *
 * @throws WorkflowError with the code `invalid-input` for wrong arguments.
 *
 * @example
 * ```ts
 * for (const { file, line, column, message, suggestion } of await lint('flows.yaml')) {
 *   console.log(`${file}:${line}:${column} ${message}`, suggestion ?? '');
 * }
 * ```
 */
export async function lint(
  files: WorkflowSource | readonly WorkflowSource[],
  options: LintOptions = {},
): Promise<readonly Problem[]> {
  checkArgument('the files', files, SOURCE_KINDS.files);
  checkOptions('lint', options, LINT_KINDS);
  checkModelsGiven(options.models);
  const { promptSets = {}, language = 'en' } = options;
  const [{ definitions, origins, findings }] = await Promise.all([
    collect({ files, promptSets }, true),
    prepareLanguages(),
  ]);
  const checks = workflowChecks(definitions, origins);
  return toProblems(
    [
      ...findings,
      ...checkDefinitions(definitions, origins),
      ...checks.flatMap((check) => [
        ...(check.isPartial ? [] : checkWays(check)),
        ...checkPromptUses(check),
        ...checkEngineNames(check, options),
      ]),
      ...checkPromptFields(checks, definitions, origins),
      ...checkRetryCodes(checks, definitions, origins),
      ...checkModels(checks, definitions, origins, options),
    ],
    language,
  );
}

/** What shows where all steps are seen together. */
function checkWays(check: WorkflowCheck): readonly Finding[] {
  return [
    ...checkFlow(check),
    ...checkRecursion(check),
    ...checkVariables(check),
    ...checkConditionTypes(check),
  ];
}
