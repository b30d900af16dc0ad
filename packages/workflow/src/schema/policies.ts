import { z } from 'zod';
import { DURATION_PATTERN } from '../definition/duration.ts';
import type {
  Duration,
  FailureMode,
  Limits,
  OnError,
  Retry,
  Timeout,
} from '../definition/policies.ts';
import { count, strict, strictOf, text } from './strict.ts';

export const duration = (description: string): z.ZodType<Duration> =>
  z
    .union([z.number().min(0), z.string().regex(DURATION_PATTERN)])
    .describe(`${description} Milliseconds, or a text such as 500ms, 30s, 5m, 2h or 1d.`);

const retry: z.ZodType<Retry> = strictOf<Retry>(
  {
    on: z
      .array(text('A code.'))
      .min(1)
      .optional()
      .describe('Codes of errors, such as rate_limit. Default: those that pass.'),
    maxAttempts: count('Attempts together, the first one included. Default: 3.').optional(),
    delay: duration('The wait before the second attempt. Default: 1s.').optional(),
    backoff: z.number().min(1).optional().describe('What each wait is multiplied by. Default: 2.'),
    maxDelay: duration('No wait is longer. Default: 30s.').optional(),
    jitter: z.boolean().optional().describe('Whether waits are drawn at random. Default: true.'),
  },
  'When and how it is tried again.',
);

const timeout: z.ZodType<Timeout> = strictOf<Timeout>(
  {
    total: duration('The whole attempt.').optional(),
    idle: duration('The time without a sign of life.').optional(),
  },
  'How long an attempt may take.',
);

const named = (what: string, schema: z.ZodType): z.ZodType =>
  z.union([z.string().min(1), schema]).describe(`${what}, or a name of use.`);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name, or the rules
export const retryOrName = named('When and how it is tried again', retry) as z.ZodType<
  string | Retry
>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name, or the times
export const timeoutOrName = named('How long an attempt may take', timeout) as z.ZodType<
  string | Timeout
>;

type OnErrorObject = Extract<OnError, object>;

export const onError: z.ZodType<OnError> = z
  .union([
    z.enum(['fail', 'continue']),
    strictOf<Extract<OnErrorObject, { default: unknown }>>(
      { default: z.json().describe('The output in place of the one that failed.') },
      'Goes on with another output.',
    ),
    strictOf<Extract<OnErrorObject, { goto: string }>>(
      { goto: text('The id of a step, or end.') },
      'Goes on with another step.',
    ),
  ])
  .describe('What follows when the step fails for good. Default: fail.');

export const failureMode: z.ZodType<FailureMode> = z
  .union([
    z.enum(['failFast', 'settled']),
    strictOf<Extract<FailureMode, object>>(
      { quorum: count('Successes that are enough.') },
      'Needs as many successes.',
    ),
  ])
  .describe('What follows when a part fails. Default: failFast.');

export const limits: z.ZodType<Limits> = strictOf<Limits>(
  {
    steps: z.int().min(0).optional().describe('Steps that are begun. Default: 10,000.'),
    timeout: duration('Wall time of the run.').optional(),
    tokens: z.number().min(0).optional().describe('Tokens of prompts and answers.'),
    costUsd: z.number().min(0).optional().describe('US dollars.'),
  },
  'What a run may use at most.',
);

export const use: z.ZodObject = strict(
  {
    retries: z.record(z.string(), retry).optional().describe('Rules for repetitions, by name.'),
    timeouts: z.record(z.string(), timeout).optional().describe('Times, by name.'),
    models: z.record(z.string(), text('provider:model')).optional().describe('Models, by name.'),
  },
  'What has a name and can be used by several steps.',
);
