import type { JsonValue } from '@vizprompt/providers';
import { countLeftOut, type TextCounts } from './account.ts';
import type { SourceEntry } from './gather-records.ts';
import type { ImportedTexts } from './report.ts';

interface Sums {
  total: number;
  kept: number;
  readonly leftOut: Map<string, number>;
}

/** Sums up the counts of texts for each file of an import. */
export class TextLedger {
  readonly #files = new Map<string, Sums>();

  /** Adds the counts of an entry. */
  add(entry: string, { total, kept, leftOut }: TextCounts): void {
    const name = fileOf(entry);
    const sums = this.#files.get(name) ?? { total: 0, kept: 0, leftOut: new Map<string, number>() };
    this.#files.set(name, sums);
    sums.total += total;
    sums.kept += kept;
    for (const [place, count] of leftOut) {
      sums.leftOut.set(place, (sums.leftOut.get(place) ?? 0) + count);
    }
  }

  /** Adds an entry that is omitted as a whole. */
  leave({ name, value }: SourceEntry): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries are parsed JSON
    if (value !== undefined) this.add(name, countLeftOut(value as JsonValue));
  }

  files(): ImportedTexts[] {
    return [...this.#files].map(([file, { total, kept, leftOut }]) => {
      const places = [...leftOut].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { file, total, kept, leftOut: Object.fromEntries(places) };
    });
  }
}

/** Returns the file of an entry such as `conversations.json, entry 3`. */
function fileOf(entry: string): string {
  return entry.replace(/, (?:entry|line) \d+$/, '');
}
