/** What became of the lines of transcripts, beside events. */
export interface LineCounts {
  /** Lines and parts of messages that this version does not know, by type. They are kept. */
  readonly unknown: Map<string, number>;
  /** Lines that are known and are no events, by type. They are kept with the event after them. */
  readonly kept: Map<string, number>;
  /** Lines that say what others say too, by type, such as the progress of a command. Left out. */
  readonly passing: Map<string, number>;
  /** Thoughts without text, of which the provider gives a signature only. */
  emptyThoughts: number;
  /** Edits whose text before is not known. */
  unknownTexts: number;
}

/** Counts of nothing yet. */
export function newCounts(): LineCounts {
  return {
    unknown: new Map(),
    kept: new Map(),
    passing: new Map(),
    emptyThoughts: 0,
    unknownTexts: 0,
  };
}

/** Adds one to a count. */
export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
