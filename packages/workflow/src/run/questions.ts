import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** What a person is asked, as the journal keeps it: whoever answers, in whatever process, finds it there. */
interface Question {
  readonly stepId: string;
  readonly text: string;
  /** What the answer has to be. */
  readonly schema?: JsonObject;
}

/** Returns a question as the journal keeps it. */
export function toQuestion(
  stepId: string,
  text: string,
  schema: JsonObject | undefined,
): JsonObject {
  return { stepId, text, ...(schema ? { schema } : {}) };
}

/** Reads a question of the journal. */
export function readQuestion(question: JsonValue): Question {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by toQuestion
  return question as unknown as Question;
}
