import { StorageError } from '../storage/storage-error.ts';
import type { QueryGroup } from './parse-query.ts';

/** Begins the term of a tag: a character for private use, which no analyser gives. */
const MARK = '\ue000';

/**
 * The term that a tag is indexed under.
 *
 * @throws StorageError with the code `misuse` unless it is 1 to 40 small letters and digits.
 */
export function tagTerm(tag: string): string {
  if (/^[a-z0-9]{1,40}$/.test(tag)) return MARK + tag;
  throw new StorageError(
    'misuse',
    `'${tag}' is no tag: use 1 to 40 small letters and digits, such as a hash`,
  );
}

/** The rows with a tag, as a part of a query. */
export function tagGroup(tag: string): QueryGroup {
  return { terms: [{ text: tagTerm(tag), isPrefix: false }], isWeak: false };
}
