import type { Chunk } from '@vizprompt/rag';
import type { SmallSetBackend } from './describe-small-set.ts';

/** Ranks by the pairs of characters that query and chunk share; rare ones count more. */
export function bigramBackend(): SmallSetBackend {
  const chunks: (readonly [filePath: string, pairs: ReadonlySet<string>])[] = [];
  return {
    async add(added) {
      for await (const chunk of added) chunks.push([chunk.filePath, pairsOf(textOf(chunk))]);
    },
    async search(query, { k }) {
      const pairs = [...pairsOf(query)].map((pair) => {
        const count = chunks.filter(([, own]) => own.has(pair)).length;
        return [pair, Math.log(1 + chunks.length / Math.max(1, count))] as const;
      });
      const hits = chunks
        .map(([file, own]) => {
          const score = pairs.reduce(
            (sum, [pair, weight]) => sum + (own.has(pair) ? weight : 0),
            0,
          );
          return { payload: { file }, score };
        })
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score);
      return { hits: hits.slice(0, k) };
    },
    async close() {},
  };
}

function textOf({ title, content }: Chunk): string {
  return `${title}\n${content}`;
}

function pairsOf(text: string): ReadonlySet<string> {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s/gu, '');
  return new Set(Array.from(plain, (_, at) => plain.slice(at, at + 2)).filter((p) => p.length > 1));
}
