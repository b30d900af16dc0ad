import type { TermTexts, TextAnalyzer } from '../analysis/text-analyzer.ts';
import type { SqlParameter, Statement } from '../storage/database.ts';
import type { Snippet } from '../strings/cut-snippet.ts';
import type { SnippetOptions } from './snippet.ts';

/** Options of `createTextIndex`. */
export interface TextIndexOptions {
  /** Unique in its database: small letters, digits and `_`. */
  readonly name: string;
  /** The fields of a row that are searched, each with its weight in the ranking (1 is plain). */
  readonly fields: Readonly<Record<string, number>>;
  /** The table whose rows are indexed; conditions of a search speak of its columns. */
  readonly table: string;
  /** The integer column of that table by which rows are known. Newer rows have higher numbers. */
  readonly key: string;
  /** Cuts text into words. Default: `wordAnalyzer()`. */
  readonly analyzer?: TextAnalyzer | undefined;
}

/** Options with the defaults filled in. */
export type CompleteTextIndexOptions = {
  readonly [Key in keyof TextIndexOptions]-?: Exclude<TextIndexOptions[Key], undefined>;
};

/** Options of {@link TextIndex.search}. */
export interface TextSearchOptions {
  /** How many rows at most. Default: 20. */
  readonly limit?: number | undefined;
  /** Requires all words of the query or any of them in a row. Default: `'any'`. */
  readonly match?: 'any' | 'all' | undefined;
  /** An SQL condition on the columns of the table, such as `kind = ? AND time > ?`. */
  readonly where?:
    | { readonly sql: string; readonly params?: readonly SqlParameter[] | undefined }
    | undefined;
  /**
   * How many rows are ranked at most, those with rarer words and then newer ones first. It bounds
   * the time of queries over words that most rows contain. Default: 2,000.
   */
  readonly cap?: number | undefined;
}

/** A row that was found. */
export interface TextHit {
  /** The key of the row. */
  readonly id: number;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/**
 * The number of a row, or a query that gives it when the statement is run, where the database chooses the
 * number.
 */
export type RowNumber = number | Statement;

/** A row as {@link TextIndex.rebuild} takes it. */
export interface TextRow {
  readonly id: number;
  readonly fields: Readonly<Record<string, string>>;
  /**
   * The tags by which {@link TextIndex.match} filters as quickly as by a word: 1 to 40 small letters and digits
   * each.
   */
  readonly tags?: readonly string[];
  /**
   * Terms of fields that were found before, by the analyser of the index, such as in another thread. They go
   * before those of the texts in `fields`. Default: none.
   */
  readonly terms?: Readonly<Record<string, TermTexts>>;
}

/** A row as {@link TextIndex.put} takes it. */
export interface PutRow extends Omit<TextRow, 'id'> {
  readonly id: RowNumber;
  /**
   * The row has just been inserted, so that the index cannot have it yet: it is added in less time. If the
   * index has it after all, it is found by its old words, too. Default: `false`.
   */
  readonly isNew?: boolean;
}

/** A row of {@link NewRows}. */
export type NewRow = Omit<PutRow, 'id' | 'isNew'>;

/** Rows as {@link TextIndex.putNew} takes them. */
export interface NewRows {
  /**
   * A query for the numbers of the rows: the columns `id` and `place`, the place of each row in the list from 1 on. Rows
   * of other places are left out.
   */
  readonly ids: Statement;
  readonly rows: readonly NewRow[];
}

/** Where an index and its table differ, at most 100 numbers of each. */
export interface TextIndexReport {
  /** Rows of the table that the index does not have. */
  readonly missing: readonly number[];
  /** Rows that the index has and the table does not. */
  readonly extra: readonly number[];
}

/**
 * Full text search over the rows of a table. The index holds terms only, no text; it is written in
 * the same transaction as the row.
 */
export interface TextIndex {
  readonly analyzer: TextAnalyzer;
  /**
   * The index is new, its analyser or fields have changed, or it is being rebuilt:
   * {@link TextIndex.rebuild} it before searching.
   */
  readonly isStale: boolean;

  /**
   * Returns the statements that add a row or replace it. Fields that are missing are empty.
   *
   * @throws StorageError with the code `misuse` if the index has no such field, a tag is none, or a term has more than
   * 1,000 bytes on PostgreSQL.
   */
  put(row: PutRow): readonly Statement[];

  /**
   * Returns the statements that add rows which have just been inserted, as {@link TextIndex.put} does with `isNew`: many
   * take less time together on PostgreSQL.
   *
   * @throws StorageError with the code `misuse` as {@link TextIndex.put}.
   */
  putNew(rows: NewRows): readonly Statement[];

  /** Returns the statements that remove a row by its number, or all rows of a query for numbers. */
  remove(id: RowNumber): readonly Statement[];

  /**
   * Takes the last traces of rows that were removed or replaced out of the index; until then their
   * terms may still be in the file. It takes as long as writing the index again.
   */
  optimize(): Promise<void>;

  /**
   * Arranges rows that were written so that searches find them faster, where there are many: call it after writing. It
   * may merge segments of the index, which takes long for a large one. A search arranges rows itself where very many
   * were added, and merges nothing. On SQLite it does nothing.
   */
  settle(): Promise<void>;

  /** Compares the rows of the table with those of the index. */
  check(): Promise<TextIndexReport>;

  /**
   * Empties the index and fills it with all rows, in batches. Only one process at a time may do so,
   * and no other caller may write to the index meanwhile.
   */
  rebuild(rows: AsyncIterable<TextRow> | Iterable<TextRow>): Promise<void>;

  /**
   * Finds rows by words; text between double quotes is looked for as it is.
   *
   * @returns The best first; of equal ones the newest. Nothing for a query without words.
   * @throws StorageError with the code `misuse` if the index {@link TextIndex.isStale}, `busy` if other processes merge
   * its segments all the time.
   */
  search(query: string, options?: TextSearchOptions): Promise<readonly TextHit[]>;

  /**
   * Finds which rows match which words of a query, for a ranking of one's own: in bounded time, however
   * many rows there are. Weak words find no rows by themselves, unless there are no others.
   *
   * @throws StorageError with the code `misuse` if the index {@link TextIndex.isStale}, `busy` if other processes merge
   * its segments all the time.
   */
  match(query: string, options?: TextMatchOptions): Promise<TextMatches>;

  /** Returns the piece of a text that shows best what a query found. */
  snippet(text: string, query: string, options?: SnippetOptions): Snippet;
}

/** Options of `TextIndex.match`. */
export interface TextMatchOptions extends Pick<TextSearchOptions, 'where'> {
  /** A row must have one tag of each list. */
  readonly tags?: readonly (readonly string[])[] | undefined;
  /**
   * How many rows of a frequent word are listed, the newest first. Frequent are words that more than five
   * times as many rows have, and those that make it more together with rarer words of the query. Other
   * words list all their rows. Default: 500.
   */
  readonly cap?: number | undefined;
  /** Rows with this tag are listed for frequent words only if there are no others. */
  readonly last?: string | undefined;
  /**
   * Alternatives to a part of the query, `of`. Each list of words or phrases is matched as one more group: a row matches
   * with any of them. Words that the query itself asks for are left out, and a list that as many rows match as `cap`
   * matches none. Lists for which a long query leaves no room are left out.
   */
  readonly alternatives?:
    | readonly { readonly of: string; readonly words: readonly string[] }[]
    | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** Terms that are looked for together: a word, or a phrase. */
export interface MatchedGroup {
  /** It says little on its own. */
  readonly isWeak: boolean;
  /** The share of the rows in scope that match, from 0 to 1; an estimate where not all are listed. */
  readonly share: number;
  /** How much it distinguishes rows: its inverse frequency, 0 where no row matches. */
  readonly weight: number;
  /** How many rows match, where all are listed; otherwise 0. */
  readonly count: number;
  /** All rows that match are listed. */
  readonly isComplete: boolean;
  /**
   * The places of the groups that it is an alternative to, if it is a list of `alternatives`. Those follow the groups of
   * the query.
   */
  readonly alternativeTo?: readonly number[] | undefined;
}

/** Which rows match which groups of a query: what a ranking is made of. */
export interface TextMatches {
  /** At most 32. */
  readonly groups: readonly MatchedGroup[];
  /** Rows by number, with one bit for each group that is known to match: the lowest for the first. */
  readonly rows: ReadonlyMap<number, number>;
  /** The rows with infrequent words that have the tag `last`. */
  readonly last: ReadonlySet<number>;
}
