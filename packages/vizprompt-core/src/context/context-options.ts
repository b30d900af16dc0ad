import type { Retriever, TokenCounter, Message } from '@vizprompt/providers';
import {
  type Kinds,
  COUNT,
  FLAG,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
  wholeFrom,
  RETRIEVER,
} from '@vizprompt/providers/config/internal';
import { checkedLater, COUNTER, FLOW_NAME, IDS, IDS_OR_NONE } from '../input-kinds.ts';
import type { NodeFilePart } from '../node/node.ts';

/**
 * The input of a context.
 *
 * @example
 * ```ts
 * const { messages, report } = await vizprompt.buildContext({
 *   flow: '設計の相談',
 *   prompt: '予約の上限はいくつでしたか？',
 *   budgetTokens: 4000,
 *   pin: [agreement.id],
 * });
 * const { text } = await model.generate({ messages });
 * ```
 */
export interface ContextOptions {
  /** The new prompt. It is the last message, as it is. */
  readonly prompt: string;
  /**
   * The system message, such as a role: the first message, as it is. It counts
   * towards the budget, and is never cut. Default: `''`, nothing.
   */
  readonly instructions?: string | undefined;
  /** The flow, by id, alias, file name or name. Default: the flow that `node` is in, or `'main'`. */
  readonly flow?: string | undefined;
  /**
   * The node that the prompt continues from; several for a merge, the main one first; `null`: none.
   * Default: the head of the flow.
   */
  readonly node?: string | readonly string[] | null | undefined;
  /**
   * How many tokens `messages` may have, those of roles and separators included; `text` has no more
   * either. Leave room for the answer. Default: 8,000.
   */
  readonly budgetTokens?: number | undefined;
  /** @deprecated The former name of `budgetTokens`. */
  readonly budget?: number | undefined;
  /** Nodes that are given in full although they are not ancestors; cut if they do not fit. */
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
  /**
   * The most nodes of other branches and flows that are given as summary and tags, where they share tags or
   * words with the prompt; 0: none. They take at most a tenth of the budget. Default: 5.
   */
  readonly related?: number | undefined;
  /** The name of the person asking. With more than one person, names are written before this and earlier prompts. */
  readonly speaker?: string | undefined;
  /** Counts tokens. Default: `createTokenEstimator()`. */
  readonly counter?: TokenCounter | undefined;
  /**
   * Lets the model ask for a turn by its number, as in `[12]の詳細を知りたい`.
   * `false` where it has a tool for that. Default: `true`.
   */
  readonly detailHint?: boolean | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Budgets are checked where they are read. */
export const CONTEXT_OPTIONS: Kinds<ContextOptions> = {
  prompt: TEXT,
  node: optional(IDS_OR_NONE),
  flow: optional(FLOW_NAME),
  instructions: optional(TEXT, {
    en: 'The system message, which is stored with the node. Default: none, or that of the node for retry, edit and continue',
  }),
  budgetTokens: checkedLater(POSITIVE, { en: 'Tokens of the context at most' }),
  budget: checkedLater(POSITIVE, { en: 'The former name of budgetTokens' }),
  references: optional(IDS, { en: 'Nodes to give in full if there is room' }),
  pin: optional(IDS, { en: 'Nodes to give in full in any case' }),
  exclude: optional(IDS, { en: 'Nodes to leave out' }),
  retriever: optional(RETRIEVER),
  related: optional(
    { ...COUNT, onWire: wholeFrom(0, 50) },
    {
      en: 'Related nodes of other branches and flows, as summary and tags. Default: 5',
    },
  ),
  speaker: optional(TEXT, { en: 'The name of the person asking, where there are several' }),
  counter: optional(COUNTER),
  detailHint: optional(FLAG),
  signal: optional(SIGNAL),
};

/** Tokens of a context if nothing else is said. */
export const DEFAULT_BUDGET = 8000;
/** Related nodes of a context if nothing else is said. */
export const DEFAULT_RELATED = 5;

/**
 * The form of a node in a context.
 *
 * - `full`: prompt and response, word for word; `cut`: the same with marks where something is left out
 * - `summary`: one line, its summary; `gist`: one line of the same kind, of a node that was not built;
 *   `first-words`: one line, the beginning of its prompt
 * - `range`: within a line for a run of nodes
 * - `dropped`: not at all
 */
export type ContextForm = 'full' | 'cut' | 'summary' | 'gist' | 'first-words' | 'range' | 'dropped';

/**
 * The reason for the form of a node.
 *
 * - `before-prompt`: the prompt continues from it; `pinned`, `reference`, `excluded`: it was asked for
 * - `fits`: everything fits in the budget; `recent`: it is one of the newest turns
 * - `relevant`: the prompt is about it; `referred`: the prompt points at it, as in "the second one";
 *   `retrieved`: a passage that the retriever found
 * - `related`: it is on another branch or in another flow, and shares tags or words with the prompt
 * - `earlier`: it is an ancestor, and the prompt is not about it
 * - `no-room`: the prompt is about it, and in full it did not fit; or not even its line did
 * - `missing`: its file is gone or cannot be understood
 */
export type ContextReason =
  | 'before-prompt'
  | 'pinned'
  | 'reference'
  | 'excluded'
  | 'fits'
  | 'recent'
  | 'relevant'
  | 'referred'
  | 'retrieved'
  | 'related'
  | 'earlier'
  | 'no-room'
  | 'missing';

/** A node in the report of a context. */
export interface ContextEntry {
  readonly id: string;
  /** The label of the node in the context: its number in the flow, or a letter if it is not in the flow. */
  readonly label: string;
  readonly form: ContextForm;
  readonly reason: ContextReason;
  /** The tokens that it adds to `messages`; a node within a range has its share of that line. */
  readonly tokens: number;
  /** `false`: estimated. */
  readonly exact: boolean;
  /** `true`: an ancestor of the prompt. */
  readonly isAncestor: boolean;
}

/** A file of a node that is given in full. The messages hold text only, so it is not in them. */
export interface ContextAttachment {
  /** The id of the node. */
  readonly node: string;
  readonly part: NodeFilePart;
}

/** The nodes of a context, and their cost. */
export interface ContextReport {
  /** The flow, by its id; absent if there is none yet. */
  readonly flow?: string;
  /** Tokens that were allowed. */
  readonly budget: number;
  /** Tokens of `messages`: prompt, instructions, headings, roles and separators included. Never above `budget`. */
  readonly tokens: number;
  /** Tokens of `text`. Never above `budget`. */
  readonly textTokens: number;
  /** `false`: tokens are estimated. */
  readonly exact: boolean;
  /** The cost of sending all ancestors and references in full. */
  readonly everything: { readonly tokens: number; readonly exact: boolean };
  /** Ancestors in the order of the context, each once; then references and retrieved passages. */
  readonly entries: readonly ContextEntry[];
  /** The files of the nodes in full. The caller of the model decides about them. */
  readonly attachments: readonly ContextAttachment[];
}

/**
 * A context for a prompt: all that was said before where it fits in the budget.
 *
 * Otherwise the messages are: the instructions, if there are any; one of the system, with a line for each earlier
 * turn and the references that were asked for; the newest turns, as they were said; one of the user with what
 * the prompt is about, such as earlier turns in full and related nodes; then the prompt. All before that last
 * message of the user depends on neither prompt nor relevance, and grows at its end, so that the caches of
 * providers keep it.
 */
export interface BuiltContext {
  /** For a `ChatModel`. */
  readonly messages: readonly Message[];
  /** The same as one text, in the form of VizPrompt's design. */
  readonly text: string;
  readonly report: ContextReport;
}
