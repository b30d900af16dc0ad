import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const README = fileURLToPath(new URL('../../../../README.md', import.meta.url));
/** Set it, and what was found is written into the README instead of compared with it. */
const WRITE = 'WRITE_RESULTS';

/** Results of tests, as a table of the README that is marked with `<!-- runs: NAME -->`. */
export class ResultTable {
  readonly #name: string;
  readonly #header: readonly string[];
  readonly #rows: string[][] = [];

  constructor(name: string, header: readonly string[]) {
    this.#name = name;
    this.#header = header;
  }

  /** Adds what was found in one row. */
  add(...cells: readonly string[]): void {
    this.#rows.push([...cells]);
  }

  /** Returns the table that the README has and the one that was found, the same where the README is current. */
  compare(): { readonly documented: string; readonly found: string } {
    const text = readFileSync(README, 'utf8');
    const mark = `<!-- runs: ${this.#name} -->`;
    const start = text.indexOf(mark) + mark.length;
    const end = text.indexOf('<!-- /runs -->', start);
    if (start < mark.length || end < 0) throw new Error(`README.md has no '${mark}'`);
    const found = this.#text();
    if (process.env[WRITE]) {
      writeFileSync(README, `${text.slice(0, start)}\n\n${found}\n\n${text.slice(end)}`);
      return { documented: found, found };
    }
    return { documented: bare(text.slice(start, end)), found: bare(found) };
  }

  #text(): string {
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    return [this.#header, this.#header.map(() => '---'), ...this.#rows].map(line).join('\n');
  }
}

/** Removes what only makes a table look even. */
function bare(table: string): string {
  return table.trim().replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
}
