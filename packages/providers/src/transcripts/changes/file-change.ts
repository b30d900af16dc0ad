import { posix, win32 } from 'node:path';
import { applyPatch, type PatchChunk } from './patch.ts';
import { type Replacement, replaceText } from './replace-text.ts';
import { applyDiff } from './whole-texts.ts';

/** The change of one file by a call of a tool. */
export interface FileChange {
  readonly action: 'create' | 'edit' | 'delete';
  /** As the call names it. */
  readonly path: string;
  /** Where the file goes, if it moves. */
  readonly movedTo?: string | undefined;
  readonly how:
    | { readonly kind: 'write'; readonly text: string }
    | { readonly kind: 'replace'; readonly replacements: readonly Replacement[] }
    /** Lines after a line, from 1; 0 for the beginning. */
    | { readonly kind: 'insert'; readonly line: number; readonly text: string }
    | { readonly kind: 'patch'; readonly chunks: readonly PatchChunk[] }
    | { readonly kind: 'delete' }
    /** The call does not say enough, such as for a cell of a notebook. */
    | { readonly kind: 'unknown' };
  /** The facts that the result of the call reports. */
  readonly facts?: FileFacts | undefined;
}

/** The facts about one file in the result of a call. */
export interface FileFacts {
  /** `null`: there was no file. */
  readonly oldText?: string | null | undefined;
  readonly newText?: string | undefined;
  readonly diff?: string | undefined;
  /** By how many lines the file grew or shrank. */
  readonly lineChange?: number | undefined;
}

/** The files of a call. */
export interface CallFiles {
  readonly changes: readonly FileChange[];
  /** A file whose whole text the call returned. */
  readonly read?: { readonly path: string; readonly text: string } | undefined;
}

/** Returns the change of a call that writes a whole file. */
export function writing(path: string, text: string | undefined): FileChange {
  return { action: 'create', path, how: { kind: 'write', text: text ?? '' } };
}

/** Returns the change of a call that replaces texts; without an old text it creates the file. */
export function replacing(path: string, replacements: readonly Replacement[]): FileChange {
  const action = replacements[0]?.oldText === '' ? 'create' : 'edit';
  return { action, path, how: { kind: 'replace', replacements } };
}

/** Returns the change of a call that does not say what it does to the file. */
export function changing(path: string): FileChange {
  return { action: 'edit', path, how: { kind: 'unknown' } };
}

/**
 * Returns the text of the file after a change.
 *
 * @param oldText - The text before; `undefined` if it is not known.
 * @returns `undefined` if it cannot be known.
 */
export function changedText(
  { action, how, facts }: FileChange,
  oldText: string | undefined,
): string | undefined {
  if (how.kind === 'write') return how.text;
  const text = oldText ?? (action === 'create' ? '' : undefined);
  if (text === undefined) return undefined;
  const patched = facts?.diff === undefined ? undefined : applyDiff(text, facts.diff);
  if (patched !== undefined && how.kind !== 'delete') return patched;
  if (how.kind === 'replace') return replaceText(text, how.replacements, facts?.lineChange);
  if (how.kind === 'patch') return applyPatch(text, how.chunks);
  return how.kind === 'insert' ? inserted(text, how.line, how.text) : undefined;
}

/** Programs differ in whether they take a line end at the end of the lines for an empty line. */
function inserted(text: string, line: number, added: string): string | undefined {
  const lines = text.split('\n');
  const isPlace = Number.isInteger(line) && line >= 0 && line <= lines.length;
  return isPlace && !added.endsWith('\n') ? lines.toSpliced(line, 0, added).join('\n') : undefined;
}

/** Returns a path as seen from a folder. Both may be of another system than this one. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (posix.isAbsolute(path)) return posix.normalize(path);
  if (/^[a-z]:[\\/]|^\\\\/i.test(path)) return win32.normalize(path);
  if (cwd === undefined) return path;
  return posix.isAbsolute(cwd) ? posix.join(cwd, path) : win32.join(cwd, path);
}
