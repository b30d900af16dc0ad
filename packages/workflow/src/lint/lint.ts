import { checkModels as checkModelsGiven } from '../calls/model-chooser.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import { prepareLanguages } from '../language/condition.ts';
import { checkDefinitions, type WorkflowCheck, workflowChecks } from '../load/check-definitions.ts';
import { collect, SOURCE_KINDS } from '../load/load-definitions.ts';
import type { Finding } from '../problems/finding.ts';
import type { Problem } from '../problems/problem.ts';
import { toProblems } from '../problems/to-problems.ts';
import { checkConditionTypes } from './conditions.ts';
import { checkEngineNames, checkModels, checkRetryCodes } from './engine-names.ts';
import { checkFlow, checkRecursion } from './flow-findings.ts';
import { LINT_KINDS, type LintOptions } from './lint-options.ts';
import { checkMcpTools } from './mcp-tools.ts';
import { checkPromptFields, checkPromptUses } from './prompts.ts';
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
  const { promptSets = {}, maxFileBytes, language = 'en' } = options;
  const [{ definitions, origins, findings }] = await Promise.all([
    collect({ files, promptSets, maxFileBytes }, true),
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
        ...checkMcpTools(check, options.mcpTools),
      ]),
      ...checkPromptFields(checks, definitions, origins),
      ...checkRetryCodes(checks, definitions, origins),
      ...checkModels(checks, definitions, origins, options),
    ],
    language,
  );
}

/** Findings that only show when all steps are seen together. */
function checkWays(check: WorkflowCheck): readonly Finding[] {
  return [
    ...checkFlow(check),
    ...checkRecursion(check),
    ...checkVariables(check),
    ...checkConditionTypes(check),
  ];
}
