import type { FileAction } from '../../model/event-data.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import type { PatchChunk } from '../patch/parse-patch.ts';
import { replaceText, type Replacement } from './replace-text.ts';

/** What a call of a tool does to one file. */
export interface PlannedChange {
  readonly action: FileAction;
  /** As the call names it. */
  readonly path: string;
  /** Where the file goes, if it moves. */
  readonly movedTo?: string;
  readonly how:
    | { readonly kind: 'write'; readonly text: string }
    | { readonly kind: 'replace'; readonly replacements: readonly Replacement[] }
    | { readonly kind: 'patch'; readonly chunks: readonly PatchChunk[] }
    | { readonly kind: 'delete' }
    /** The call does not say enough, such as for a cell of a notebook. */
    | { readonly kind: 'unknown' };
}

/**
 * The text of the file afterwards.
 *
 * @param oldText - The text before; `undefined` if it is not known.
 * @param lineChange - By how many lines the file is known to grow or shrink.
 * @returns `undefined` if it cannot be known.
 */
export function changedText(
  { action, how }: PlannedChange,
  oldText: string | undefined,
  lineChange?: number,
): string | undefined {
  if (how.kind === 'write') return how.text;
  const text = oldText ?? (action === 'create' ? '' : undefined);
  if (text === undefined) return undefined;
  if (how.kind === 'replace') return replaceText(text, how.replacements, lineChange);
  if (how.kind === 'patch') return applyPatch(text, how.chunks);
  return undefined;
}
