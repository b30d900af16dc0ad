import { fuse, type Passage } from '@vizprompt/providers';

/** Ranked lists of events as one, by reciprocal rank. */
export function fuseKeys(
  lists: readonly (readonly number[])[],
  weights: readonly number[] = lists.map(() => 1),
): readonly { readonly key: number; readonly score: number }[] {
  const fused = fuse(
    lists.map((keys) => keys.map(toPassage)),
    { weights },
  );
  return fused.map(({ id, score }) => ({ key: Number(id), score }));
}

function toPassage(key: number): Passage {
  return { id: String(key), text: '', score: 0, source: { kind: 'event', uri: String(key) } };
}
