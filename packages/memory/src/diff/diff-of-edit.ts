import type { JsonValue } from '@vizprompt/providers';
import { TextCache } from '../text-cache.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What edits have made of a text, by what it became. */
const recent = new TextCache<{
  readonly action: JsonValue | undefined;
  readonly path: string;
  readonly before: string | undefined;
  readonly diff: string | undefined;
}>();

/** The diff of an edit; nothing where the texts that its action needs are not known. */
export function diffOfEdit(
  action: JsonValue | undefined,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const known = after === undefined ? undefined : recent.get(after);
  if (known?.action === action && known?.path === path && known.before === before) {
    return known.diff;
  }
  const diff = newDiff(action, path, before, after);
  if (after !== undefined) recent.set(after, { action, path, before, diff });
  return diff;
}

function newDiff(
  action: JsonValue | undefined,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (action === 'create' && after !== undefined) {
    return unifiedDiff({ path, before: before === '' ? undefined : before, after });
  }
  if (action === 'delete' && before !== undefined) {
    return unifiedDiff({ path, before, after: undefined });
  }
  if (before === undefined || after === undefined) return undefined;
  return unifiedDiff({ path, before, after });
}
