import type { JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { WorkflowEvents } from '../events.ts';
import type { PeopleAnswers } from './test-options.ts';

type Question = Pick<WorkflowEvents['step:waiting'], 'stepId' | 'path' | 'question'>;

/** People who answer as a test tells them. */
export class People {
  readonly #answers: Readonly<Record<string, PeopleAnswers>>;
  readonly #told = new Map<string, number>();

  /** @param answers - By the id of the step. */
  constructor(answers: Readonly<Record<string, PeopleAnswers>>) {
    this.#answers = answers;
  }

  /** @throws WorkflowError with the code `invalid-input` if there is no answer. */
  async answer({ stepId, path, question }: Question): Promise<JsonValue> {
    const given = Object.hasOwn(this.#answers, stepId) ? this.#answers[stepId] : undefined;
    if (typeof given === 'function') return given(question, path);
    const number = this.#told.get(stepId) ?? 0;
    this.#told.set(stepId, number + 1);
    const answer = given?.[number];
    if (answer !== undefined) return answer;
    const has = given ? `has ${given.length} answers` : 'is missing';
    throw new WorkflowError(
      'invalid-input',
      `a person was asked by '${path}' and does not answer: people['${stepId}'] ${has}; the question was: ${question}`,
      { context: { path, stepId } },
    );
  }
}
