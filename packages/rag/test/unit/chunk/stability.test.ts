import { describe, expect, it } from 'vitest';
import {
  MarkdownChunkingStrategy,
  PlainTextChunkingStrategy,
  type ChunkingStrategy,
} from '@vizprompt/rag';
import { chunk } from '../../support/chunk-checks.ts';
import { chapter, numbers, paragraph, sentence } from '../../support/sample-texts.ts';

const EDITS = 8;

/** One edit: a sentence or paragraph is inserted, removed or replaced, somewhere. */
function edit(paragraphs: readonly string[], next: (below: number) => number): string[] {
  const edited = [...paragraphs];
  const at = next(edited.length);
  switch (next(6)) {
    case 0:
      edited.splice(at, 0, paragraph(next));
      break;
    case 1:
      edited.splice(at, 1);
      break;
    case 2:
      edited.splice(at, 1, paragraph(next));
      break;
    case 3:
      edited[at] += sentence(next);
      break;
    case 4:
      edited[at] = (edited[at] ?? '').replace(/[^。]*。(?=.)/u, '');
      break;
    default:
      edited[at] = (edited[at] ?? '').replace(/[^。]*。/u, sentence(next));
  }
  return edited;
}

/** Returns the mean number of chunks with new ids, over edits of several chapters. */
async function changed(strategy: ChunkingStrategy, joint: string): Promise<number> {
  let edits = 0;
  let total = 0;
  for (let seed = 1; seed <= 2; seed += 1) {
    const next = numbers(seed * 977);
    const paragraphs = chapter(13_000, seed);
    const before = await chunk(strategy, paragraphs.join(joint));
    const ids = new Set(before.map(({ id }) => id));
    for (let round = 0; round < EDITS; round += 1) {
      const after = await chunk(strategy, edit(paragraphs, next).join(joint));
      const fresh = after.filter(({ id }) => !ids.has(id)).length;
      expect(after.length - fresh).toBeGreaterThan(before.length * 0.6);
      total += fresh;
      edits += 1;
    }
  }
  return total / edits;
}

describe('a chapter of 13,000 characters without headings', () => {
  const kinds: [string, (overlap: number) => ChunkingStrategy, string][] = [
    ['Markdown', (overlap) => new MarkdownChunkingStrategy({ overlap }), '\n\n'],
    ['plain text', (overlap) => new PlainTextChunkingStrategy({ overlap }), '\n'],
    ['one line', (overlap) => new PlainTextChunkingStrategy({ overlap }), ''],
  ];
  it.each(kinds)(
    'keeps nearly all ids when it is edited in one place: %s',
    async (_, make, joint) => {
      const mean = await changed(make(0), joint);
      const meanOverlap = await changed(make(0.2), joint);
      expect(mean).toBeLessThanOrEqual(2.5);
      expect(meanOverlap).toBeLessThanOrEqual(3.5);
    },
  );

  it('keeps its cuts after a paragraph was inserted at its top, with the lines moved', async () => {
    const strategy = new MarkdownChunkingStrategy({ overlap: 0 });
    const paragraphs = chapter(13_000, 3);
    const before = await chunk(strategy, paragraphs.join('\n\n'));
    const after = await chunk(strategy, ['　新しい段落。', ...paragraphs].join('\n\n'));
    const moved = new Map(after.map((piece) => [piece.id, piece.startLine]));
    const kept = before.filter(({ id }) => moved.has(id));
    expect(kept.length).toBeGreaterThanOrEqual(before.length - 3);
    for (const { id, startLine } of kept) expect(moved.get(id)).toBe(startLine + 2);
  });

  it('keeps the ids of other sections whatever changes in one', async () => {
    const strategy = new MarkdownChunkingStrategy();
    const text = (first: string) =>
      `# 一\n\n${first}\n\n# 二\n\n${chapter(3000, 8).join('\n\n')}\n`;
    const before = await chunk(strategy, text('短い。'));
    const after = await chunk(strategy, text(chapter(3000, 9).join('\n\n')));
    const second = (chunks: typeof before) =>
      chunks.filter(({ title }) => title === '二').map(({ id }) => id);
    expect(second(after)).toEqual(second(before));
  });
});
