import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { toErrorJson } from './failure.ts';
import type { ParallelPart, PartEnd } from './parallel.ts';
import { errorsIn } from './errors-variable.ts';

/** Puts the errors of parts that failed into the variable `errors`, under the step and the name of the part. */
export function setPartErrors(
  variables: { [name: string]: JsonValue },
  stepId: string,
  parts: readonly Pick<ParallelPart, 'name'>[],
  ends: readonly PartEnd[],
): void {
  const failed = ends.flatMap((end, at) =>
    end.status === 'failed' ? [[parts[at]?.name ?? '', toErrorJson(end.error)] as const] : [],
  );
  if (failed.length === 0) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an ErrorJson is plain
  const own = Object.fromEntries(failed) as unknown as JsonObject;
  variables['errors'] = { ...errorsIn(variables), [stepId]: own };
}
