import type { JsonValue } from '@vizprompt/providers';
import type { RetrieveStep } from '../../definition/step.ts';
import { valueAt } from '../../language/variable-path.ts';
import { toPromptText } from '../../language/prompt-text.ts';
import { callFunction, given } from '../call-function.ts';
import type { Place, Thread } from '../thread.ts';

const DEFAULT_K = 5;

/** Looks passages up. */
export function runRetrieve(thread: Thread, step: RetrieveStep, place: Place): Promise<JsonValue> {
  const query = toPromptText(valueAt(step.query, thread.variables));
  const retriever = given('retriever', thread.services.engine.retrievers, step.retriever);
  const { k = DEFAULT_K, filter } = step;
  return callFunction(thread, place, {
    speaker: step.retriever,
    policies: step,
    input: () => query,
    call: ({ signal }) =>
      retriever.retrieve(query, { k, signal, ...(filter === undefined ? {} : { filter }) }),
  });
}
