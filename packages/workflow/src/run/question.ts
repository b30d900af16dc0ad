import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** What a person is asked, as the journal keeps it: whoever answers, in whatever process, finds it there. */
export interface Question {
  readonly stepId: string;
  readonly text: string;
  /** What the answer has to be. */
  readonly schema?: JsonObject;
}

export function toQuestion(
  stepId: string,
  text: string,
  schema: JsonObject | undefined,
): JsonObject {
  return { stepId, text, ...(schema ? { schema } : {}) };
}

export function readQuestion(question: JsonValue): Question {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toQuestion
  return question as unknown as Question;
}
