import type { Answer } from './answer.ts';

/** The answers as one text; what is no text is written as JSON. */
export function concat(answers: readonly Answer[], separator = '\n\n'): string {
  return answers
    .map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(separator);
}
