import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { readPlainFile, replaceFileSync } from '@vizprompt/providers/internal';

const FILE = 'sources.json';
const FORMAT = 1;

/** The record of a document. */
export interface SourceEntry {
  /** The state of the file that was looked at. Absent: look again. */
  readonly version?: string;
  /** The hash of the indexed bytes. Absent: the content of the index is unknown. */
  readonly hash?: string;
  /** True if it gave chunks. */
  readonly isEmpty?: boolean;
  /** Why it is not in the index. */
  readonly problem?: string;
}

/** The documents of a project as they were indexed last, by their paths. */
export type SourceEntries = ReadonlyMap<string, SourceEntry>;

interface StoredManifest {
  readonly format: number;
  readonly settings: string;
  readonly entries: Readonly<Record<string, SourceEntry>>;
}

/**
 * The record of which state of which file is in the index. It is derived: without it everything is
 * read again. Its readers and writers hold the lock of the project.
 */
export class SourceManifest {
  readonly #path: string;
  readonly #settings: string;
  #entries: SourceEntries = new Map();
  #seen: string | undefined;

  /** @param settings - The settings of the index; a record with others does not count. */
  constructor(folder: string, settings: string) {
    this.#path = join(folder, FILE);
    this.#settings = settings;
  }

  /** @returns The entries, and whether another process has written them since. */
  load(): { readonly entries: SourceEntries; readonly isNews: boolean } {
    const text = this.#text();
    const line = text.indexOf('\n');
    const sum = text.slice(0, Math.max(line, 0));
    if (sum === this.#seen) return { entries: this.#entries, isNews: false };
    const isNews = this.#seen !== undefined;
    this.#entries = this.#parse(sum, text.slice(line + 1));
    this.#seen = sum;
    return { entries: this.#entries, isNews };
  }

  /** The entries that were read or written last. */
  get entries(): SourceEntries {
    return this.#entries;
  }

  /** Checks whether the record is gone that was read or written last: its folder was deleted. */
  get isLost(): boolean {
    return this.#entries.size > 0 && !existsSync(this.#path);
  }

  /** Replaces all entries at once. */
  save(entries: SourceEntries): void {
    const body = JSON.stringify({
      format: FORMAT,
      settings: this.#settings,
      entries: Object.fromEntries(entries),
    });
    const sum = sumOf(body);
    replaceFileSync(this.#path, `${sum}\n${body}`, { durable: false });
    this.#entries = entries;
    this.#seen = sum;
  }

  #text(): string {
    return readPlainFile(this.#path)?.toString() ?? '';
  }

  #parse(sum: string, body: string): SourceEntries {
    if (sum === '' || sum !== sumOf(body)) return new Map();
    const { format, settings, entries }: StoredManifest = JSON.parse(body);
    const isOurs = format === FORMAT && settings === this.#settings;
    // Documents that the index may have, though nothing is known of them.
    return new Map(
      Object.entries(entries).map(([path, entry]) => [path, isOurs ? entry : {}] as const),
    );
  }
}

function sumOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
