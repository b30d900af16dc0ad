import {
  described,
  type Kinds,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { EventOf, MemoryEvent } from '../model/memory-event.ts';

/** The task at hand, and the budget for what is recalled. */
export interface RecallRequest {
  /** In natural language or keywords. Without it the newest events and those of the file are recalled. */
  readonly query?: string | undefined;
  /** The folder that is worked in; what happened in others is not recalled. */
  readonly workspace: string;
  /** The file that is worked on: absolute, or relative to `workspace`. */
  readonly path?: string | undefined;
  /**
   * How many tokens the text may have at most, as `createTokenEstimator` counts them. A long event comes as a piece of
   * up to 1,200 characters (some 300 tokens of English, 1,000 of Japanese), and where that has no room not at all.
   */
  readonly budgetTokens: number;
  /** Recalls nothing of this session, such as the one that asks. */
  readonly exceptSession?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

export const RECALL_REQUEST: Kinds<RecallRequest> = {
  query: optional(TEXT, {
    en: 'The task, in natural language',
    ja: 'いまの作業(自然な文または語)。"-" で標準入力から',
  }),
  // Without one, events of other workspaces would be recalled, too.
  workspace: described(TEXT, {
    en: 'The folder that is worked in',
    ja: '作業フォルダー',
    reads: 'path',
  }),
  path: optional(TEXT, { en: 'The file that is worked on', ja: 'いま扱っているファイル' }),
  budgetTokens: described(POSITIVE, {
    en: 'How many tokens the text may have, by estimate',
    ja: '出力のトークン数の上限(推定)',
  }),
  exceptSession: optional(TEXT, { en: 'The session that asks, of which nothing is recalled' }),
  signal: optional(SIGNAL),
};

/** Why an event was recalled: its words, its meaning, its file, or its time. */
export type RecallReason = 'text' | 'vector' | 'file' | 'recent';

/** An event that was recalled. */
export interface RecalledEvent {
  /** Without `old_content` and `new_content`: `getEvent` reads them. */
  readonly event: MemoryEvent;
  /** The intention that an edit carried out: its reason is in the text. */
  readonly intention?: EventOf<'code_intention'>;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  readonly reasons: readonly RecallReason[];
  /** Its part of the text, which cites it by its id. */
  readonly text: string;
  readonly tokens: number;
  /** Only a piece of the event is in the text: 1,200 characters at most. */
  readonly isCut: boolean;
}

/** The result of `recall`. */
export interface Recalled {
  /** All parts, ready to be put before a model. `''` where there is nothing. */
  readonly text: string;
  /** The tokens of the text, by estimate. */
  readonly tokens: number;
  /** The most useful first. */
  readonly events: readonly RecalledEvent[];
  /** Useful events that are not in the text, the most useful first. */
  readonly omitted: readonly {
    readonly id: string;
    /** They have no room in the budget, or say what another one says. */
    readonly reason: 'budget' | 'duplicate';
  }[];
}
