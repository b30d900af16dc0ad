import type { Retriever, TokenCounter } from '@vizprompt/providers';

/**
 * What a context is to be built of.
 *
 * @example
 * ```ts
 * const { messages, report } = await vizprompt.buildContext({
 *   flow: '設計の相談',
 *   prompt: '予約の上限はいくつでしたか？',
 *   budget: 4000,
 *   pin: [agreement.id],
 * });
 * const { text } = await model.generate({ messages });
 * ```
 */
export interface ContextOptions {
  /** What is asked now. It is the last message, as it stands. */
  readonly prompt: string;
  /**
   * What the model is told before all else, such as who it is: the first message, as it stands. It counts
   * towards the budget, and is never cut. Default: `''`, nothing.
   */
  readonly instructions?: string | undefined;
  /** The flow, by id, alias, file name or name. Default: the flow that `node` is in, or `'main'`. */
  readonly flow?: string | undefined;
  /**
   * The node that the prompt goes on from; several for a merge, the main one first; `null`: none.
   * Default: the head of the flow.
   */
  readonly node?: string | readonly string[] | null | undefined;
  /**
   * How many tokens `messages` may have, those of roles and separators included; `text` has no more
   * either. Leave room for the answer. Default: 8,000.
   */
  readonly budget?: number | undefined;
  /** Nodes that are given in full although they are no ancestors; cut if they do not fit. */
  readonly references?: readonly string[] | undefined;
  /** Nodes that are always given in full, and never cut. */
  readonly pin?: readonly string[] | undefined;
  /** Nodes that are never given, in no form. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Finds what the prompt is about. Ancestors that it finds (by the `id` or the `source.uri` of a
   * passage) are given in full before others; its other passages are given as references where
   * there is room. Default: the words that the prompt shares with the nodes, rare ones first.
   */
  readonly retriever?: Retriever | undefined;
  /** Counts tokens. Default: `createTokenEstimator()`. */
  readonly counter?: TokenCounter | undefined;
  /**
   * Whether the model is told that it may ask for a turn by its number, as in `[12]の詳細を知りたい`.
   * `false` where it has a tool for that. Default: `true`.
   */
  readonly detailHint?: boolean | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Tokens of a context if nothing else is said. */
export const DEFAULT_BUDGET = 8000;
