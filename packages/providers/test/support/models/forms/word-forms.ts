import type { LLMErrorCode } from '@vizprompt/providers';
import { refusal, type Form } from './form.ts';
import { GATEWAY_WORDS } from './gateway-words.ts';
import { LIMIT_WORDS } from './limit-words.ts';
import { NEWER_WORDS } from './newer-words.ts';
import { OTHER_WORDS } from './other-words.ts';

/** Codes that the same call may get over. */
const RETRYABLE = new Set(['rate_limit', 'overloaded', 'server', 'timeout']);

const TABLES = [LIMIT_WORDS, OTHER_WORDS, NEWER_WORDS, GATEWAY_WORDS];

export const WORD_FORMS: readonly Form[] = TABLES.flatMap((table) => Object.entries(table)).flatMap(
  ([code, rows]) =>
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
