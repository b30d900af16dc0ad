import { ANYTHING, type Kinds, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import type { ImportFormat } from './conversation.ts';

/** Options of `importConversations`. */
export interface ImportOptions {
  /** Which program wrote it. Default: found out for each conversation. */
  readonly format?: ImportFormat | undefined;
  /** Stops between two conversations, and while a file is read; what was imported stays. */
  readonly signal?: AbortSignal | undefined;
}

export const IMPORT_OPTIONS: Kinds<ImportOptions> = {
  format: ANYTHING,
  signal: optional(SIGNAL),
};

/** An entry that was left out. */
export interface SkippedEntry {
  /** Its place. */
  readonly entry: string;
  readonly reason: string;
}

/** A conversation that was imported. */
interface ImportedFlow {
  /** The id of its flow. */
  readonly id: string;
  readonly name: string;
  /** How many nodes and connections the conversation has. */
  readonly nodes: number;
  readonly connections: number;
  readonly outcome: 'imported' | 'updated' | 'unchanged';
}

/** The texts of a file that was imported: all of them are kept, or left out by name. */
export interface ImportedTexts {
  /** The name of the file. */
  readonly file: string;
  /** Strings of the file that say something; ids and times do not count. */
  readonly total: number;
  /** In nodes: as text, or as `data` where their meaning is not known. */
  readonly kept: number;
  /** The number of omitted texts by place in the file, such as `mapping.*.message.status`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** The result of an import; the counts add up. */
export interface ImportReport {
  /** `total` is the sum of the others. */
  readonly conversations: {
    readonly total: number;
    readonly imported: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly skipped: number;
  };
  /** `total` messages, all of them in `nodes`. */
  readonly messages: { readonly total: number };
  /** `total` is the sum of the others. */
  readonly nodes: {
    readonly total: number;
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
  };
  readonly connections: { readonly total: number; readonly created: number };
  readonly flows: readonly ImportedFlow[];
  /** For each file, `total` is `kept` and all of `leftOut`. */
  readonly texts: readonly ImportedTexts[];
  readonly skipped: readonly SkippedEntry[];
  /** Oddities, and how they were read. */
  readonly warnings: readonly SkippedEntry[];
}

/** The result for a conversation, in numbers. */
export interface SavedConversation {
  readonly flow: ImportedFlow;
  readonly messages: number;
  readonly created: number;
  readonly updated: number;
  /** New connections. */
  readonly connected: number;
}

/** Returns the report of an import. */
export function reportOf(
  saved: readonly SavedConversation[],
  skipped: readonly SkippedEntry[],
  warnings: readonly SkippedEntry[],
  texts: readonly ImportedTexts[],
): ImportReport {
  const sum = (read: (result: SavedConversation) => number): number =>
    saved.reduce((total, result) => total + read(result), 0);
  const count = (outcome: ImportedFlow['outcome']): number =>
    saved.filter(({ flow }) => flow.outcome === outcome).length;
  return {
    conversations: {
      total: saved.length + skipped.length,
      imported: count('imported'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      skipped: skipped.length,
    },
    messages: { total: sum(({ messages }) => messages) },
    nodes: {
      total: sum(({ flow }) => flow.nodes),
      created: sum(({ created }) => created),
      updated: sum(({ updated }) => updated),
      unchanged: sum(({ flow, created, updated }) => flow.nodes - created - updated),
    },
    connections: {
      total: sum(({ flow }) => flow.connections),
      created: sum(({ connected }) => connected),
    },
    flows: saved.map(({ flow }) => flow),
    texts,
    skipped,
    warnings,
  };
}
