import type { LLMErrorCode } from '@vizprompt/providers';
import { refusal, type Form } from './form.ts';
import { LIMIT_WORDS } from './limit-words.ts';
import { OTHER_WORDS } from './other-words.ts';

/** Codes that the same call may get over. */
const RETRYABLE = new Set(['rate_limit', 'overloaded', 'server', 'timeout']);

export const WORD_FORMS: readonly Form[] = Object.entries({
  ...LIMIT_WORDS,
  ...OTHER_WORDS,
}).flatMap(([code, rows]) =>
  rows.map(([server, status, sentence, more = {}, wire = 'openai']) => ({
    kind: 'refusals and their meaning',
    wire,
    name: `${server}: \`${code}\``,
    answers: [refusal(wire, status, sentence, more)],
    expected: {
      code: code as LLMErrorCode,
      says: sentence.slice(0, 20).replace(/\.$/, ''),
      isRetryable: RETRYABLE.has(code),
      requests: 1,
    },
  })),
);
