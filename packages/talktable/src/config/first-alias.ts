import { visit, type Document } from 'yaml';

/** Where the first alias stands whose anchor is missing, or else the first one. */
export function firstAlias(document: Document): number {
  let first: number | undefined;
  let missing: number | undefined;
  visit(document, {
    Alias(_, alias) {
      const [offset] = alias.range ?? [0];
      first ??= offset;
      if (missing === undefined && alias.resolve(document) === undefined) missing = offset;
    },
  });
  return missing ?? first ?? 0;
}
