import { checkDefinitions } from '../check/check-definitions.ts';
import type { Definitions } from '../definition/definitions.ts';
import { WorkflowError } from '../errors.ts';
import { prepareLanguages } from '../language/prepare.ts';
import { problemText, toProblems } from '../problems/to-problems.ts';
import { collect, type DefinitionSources } from './collect.ts';

/**
 * Reads files, and checks and joins what they hold.
 *
 * @throws WorkflowError with the code `definition-invalid`: the first problem as `file:line:column: ...`, and all
 * of them in `context.problems`.
 */
export async function loadDefinitions(sources: DefinitionSources): Promise<Definitions> {
  const [{ definitions, origins, findings }] = await Promise.all([
    collect(sources, false),
    prepareLanguages(),
  ]);
  const all = [...findings, ...checkDefinitions(definitions, origins)];
  if (all.length === 0) return definitions;
  const problems = await toProblems(all, 'en');
  const [first] = problems;
  const more = problems.length > 1 ? `; and ${problems.length - 1} more` : '';
  throw new WorkflowError(
    'definition-invalid',
    first ? problemText(first) + more : 'the files cannot be understood',
    { context: { problems } },
  );
}
