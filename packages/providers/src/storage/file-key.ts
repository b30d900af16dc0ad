import { StorageError } from './storage-error.ts';
import { checkArgument } from '../input/check-input.ts';
import { TEXT } from '../input/kinds.ts';

/** The first segment that belongs to the store itself. */
export const RESERVED_SEGMENT = '.vizprompt';

const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const WINDOWS_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u001f\u007f\\:*?"<>|]/;
/** Characters that a file system may drop from a name, such as HFS+ does with U+200C. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Left of letters that have no small form of one character, such as a capital i with a dot. */
const MARKS = /\p{M}/gu;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;
/** With the short name that Windows gives it, the ends that Windows drops, and the name of a stream. */
const GIT_NAME = /^(?:\.git|git~\d+)[. ]*(?::|$)/;

/**
 * Returns why a key of a file store is not valid, or `undefined` if it is valid: a relative path with
 * `/` whose every segment is a name on all systems, so without `..`, `\\`, control characters and the
 * reserved names of Windows. No segment is `.git` in any spelling that a file system may take for it:
 * what is stored there is run by git.
 */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty';
  if (!key.isWellFormed()) return 'it holds a lone surrogate';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `it is longer than ${MAX_KEY_BYTES} bytes`;
  const segments = key.split('/');
  const first = foldedName(segments[0] ?? '');
  if (first === RESERVED_SEGMENT || /^vizpro~\d+$/.test(first)) {
    return `'${RESERVED_SEGMENT}' belongs to the store`;
  }
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem) return problem;
  }
  return undefined;
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return "it begins or ends with '/' or has two in a row";
  if (segment === '.' || segment === '..') return `it has the segment '${segment}'`;
  if (FORBIDDEN.test(segment)) return 'it holds a control character or one of \\ : * ? " < > |';
  if (/[. ]$/.test(segment)) return 'a segment ends in a dot or a space';
  if (WINDOWS_NAME.test(segment)) return `'${segment}' is a reserved name on Windows`;
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
    return `a segment is longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  if (isGitName(segment)) return "a segment means '.git', which is git's own";
  return undefined;
}

/** Checks whether a segment of a path is `.git` in any spelling that a file system may take for it. */
export function isGitName(segment: string): boolean {
  return GIT_NAME.test(foldedName(segment));
}

/** Returns a name as the most forgiving file system compares it. */
function foldedName(segment: string): string {
  if (ASCII.test(segment)) return segment.toLowerCase();
  // Some compare in upper case, where a dotless i is an I.
  const compared = segment.normalize('NFKC').replace(IGNORED, '').toUpperCase().toLowerCase();
  return compared.replace(MARKS, '');
}

/**
 * Checks a key of a file store, before anything is touched.
 *
 * @throws StorageError with the code `invalid-key`.
 */
export function assertKey(key: string): void {
  checkArgument('a file key', key, TEXT);
  const problem = keyProblem(key);
  if (problem === undefined) return;
  throw new StorageError('invalid-key', `${JSON.stringify(key)} is no valid file key: ${problem}`, {
    context: { key },
  });
}
