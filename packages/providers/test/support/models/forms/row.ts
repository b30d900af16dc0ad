import type { Form } from './form.ts';

/** A form without its kind. */
export type Row = Omit<Form, 'kind'>;

type MakeRow = (name: string, answer: Form['answers'][number], expected: Form['expected']) => Row;

const on =
  (wire: Form['wire']): MakeRow =>
  (name, answer, expected) => ({ wire, name, answers: [answer], expected });

export const openai: MakeRow = on('openai');
export const gemini: MakeRow = on('gemini');
export const ollama: MakeRow = on('ollama');

/** The end of a stream of Chat Completions. */
export const DONE = 'data: [DONE]\n\n';

/** Rows of one kind as forms. */
export function of(kind: string, rows: readonly Row[]): readonly Form[] {
  return rows.map((row) => ({ kind, ...row }));
}
