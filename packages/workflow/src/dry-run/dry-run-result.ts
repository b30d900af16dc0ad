import {
  AMOUNT,
  having,
  type Kinds,
  OBJECT,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { Range } from './cost-of-steps.ts';

/** A prompt as it would be sent. */
export interface DryRunPrompt {
  readonly workflow: string;
  readonly stepId: string;
  /** The role; absent where a person is asked. */
  readonly agent?: string;
  /** `provider:model`; absent where the role names none and there is no default, or a person is asked. */
  readonly model?: string;
  readonly system?: string;
  /** The rendered prompt. Outputs of other steps are shown as `⟨name⟩`. */
  readonly prompt: string;
  /** Why it could not be rendered; `prompt` is the template then. */
  readonly problem?: string;
  /** Input tokens of one call. */
  readonly inputTokens: Range;
  /** Output tokens of one call. */
  readonly outputTokens: Range;
  /** The cost of one call, in US dollars; absent without a price. */
  readonly costUsd?: Range;
}

/** The prompts that a run would send, and their cost. */
export interface DryRun {
  readonly workflow: string;
  readonly promptSet: string;
  /** The hash of the pinned definition, as a run would have it. */
  readonly hash: string;
  /** All that can be reached, in the order of the files. */
  readonly prompts: readonly DryRunPrompt[];
  /** Calls of models. */
  readonly calls: Range;
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  /** US dollars of the models that have a price. */
  readonly costUsd: Range;
  /** Models that `prices` lacks, by their keys there; they are not in `costUsd`. */
  readonly unpriced: readonly string[];
  /** Roles that are called without a model: they name none, and there is no `defaultModel`. Not in `costUsd` either. */
  readonly withoutModel: readonly string[];
  /** Steps in cycles by `next_step` and subflows that run themselves: counted once, and nothing but `limits` ends them. */
  readonly unbounded: readonly string[];
}

/** The assumptions of a dry run. */
export interface DryRunOptions {
  /** Which prompts are used. Default: `'default'`, or the only one. */
  readonly promptSet?: string | undefined;
  /** For roles that name no model, as `provider:model`. */
  readonly defaultModel?: string | undefined;
  /** US dollars of a million tokens, by the id of the model without its provider. */
  readonly prices?: Readonly<Record<string, DryRunPrice>> | undefined;
  /** Tokens of an answer at most, where `maxOutputTokens` does not say. Default: 1,000. */
  readonly outputTokens?: number | undefined;
  /** Items of lists that are not known yet. Default: 0 to 10. */
  readonly items?: Range | undefined;
}

/** As `Price` of `@vizprompt/providers/middleware`. */
export interface DryRunPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

export const DRY_RUN_KINDS: Kinds<DryRunOptions> = {
  promptSet: optional(TEXT),
  defaultModel: optional(TEXT),
  prices: optional(OBJECT),
  outputTokens: optional(AMOUNT),
  items: optional(having('{ min, max }', 'min', 'max')),
};
