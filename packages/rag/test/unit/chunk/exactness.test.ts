import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, runs } from '../../../../providers/test/support/fuzz.ts';
import {
  AozoraChunkingStrategy,
  MarkdownChunkingStrategy,
  PlainTextChunkingStrategy,
} from '@vizprompt/rag';
import { chunk, expectSizes } from '../../support/chunk-checks.ts';
import { AOZORA, chapter, NOTES } from '../../support/sample-texts.ts';

const OPTIONS = { maxTokens: 40, overlap: 0.3 };
const strategies = [
  new PlainTextChunkingStrategy(OPTIONS),
  new MarkdownChunkingStrategy(OPTIONS),
  new AozoraChunkingStrategy(OPTIONS),
];
const PARTS = [
  ...NOTES.split('\n'),
  ...AOZORA.split('\n'),
  '　段落の文。もう一つの文！「引用。」と続く。',
  'A line of English. Another one, with more words than the others have.',
  'مرحبا بالعالم. שלום עולם.',
  '\u0000',
  '\uD83D',
  '\uDC69 \uFFFE',
  '👩‍👩‍👧‍👦🇯🇵',
  '\u2028',
  '\uFEFF',
  ' '.repeat(99),
  '　'.repeat(99),
  '長い'.repeat(200),
  'x'.repeat(300),
  `> ${'> '.repeat(50)}深い`,
  '- - - - 深い',
  '\t- タブ',
  '```',
  '',
];

describe('every strategy', () => {
  const document = fc.record({
    parts: fc.array(fc.oneof(fc.constantFrom(...PARTS), anyString({ maxLength: 60 })), {
      maxLength: 40,
    }),
    ends: fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n\n'), { minLength: 1, maxLength: 5 }),
    start: fc.constantFrom('', '\uFEFF'),
    isEnded: fc.boolean(),
  });

  it.each(strategies.map((strategy) => [strategy.id, strategy] as const))(
    'cuts anything exactly: %s',
    async (_, strategy) => {
      await fc.assert(
        fc.asyncProperty(document, async ({ parts, ends, start, isEnded }) => {
          const lines = parts.map((part, index) => part + (ends[index % ends.length] ?? ''));
          const joined = start + lines.join('');
          const text = isEnded ? joined : joined.replace(/[\r\n]+$/, '');
          const again = await chunk(strategy, text);
          expect((await chunk(strategy, text)).map(({ id }) => id)).toEqual(
            again.map(({ id }) => id),
          );
        }),
        { numRuns: runs(30) },
      );
    },
  );

  it.each(['', ' ', '\n', '\r\n\r\n', '\uFEFF', '\uFEFF\n', '　\n\t'])(
    'has no chunk for %j',
    async (text) => {
      for (const strategy of strategies) expect(await chunk(strategy, text)).toEqual([]);
    },
  );

  it('gives the same content and lines for every end of line', async () => {
    const text = [...chapter(2000, 3), '', NOTES].join('\n');
    for (const strategy of strategies) {
      const expected = await chunk(strategy, text);
      for (const end of ['\r\n', '\r']) {
        const other = await chunk(strategy, `\uFEFF${text.replaceAll('\n', end)}`);
        for (const piece of other) expect(piece.content.startsWith('\uFEFF')).toBe(false);
        const last = [expected.at(-1)?.endLine, expected.at(-1)?.title];
        expect([other.at(-1)?.endLine, other.at(-1)?.title]).toEqual(last);
      }
    }
  });

  it('cuts one line of 200,000 characters', async () => {
    const line = '港は霧の中にあり船は帰らず誰も声を立てなかった'.repeat(10_000).slice(0, 200_000);
    for (const strategy of [new PlainTextChunkingStrategy(), new MarkdownChunkingStrategy()]) {
      const chunks = await strategy.chunk({ novelId: 'n', filePath: 'a.md', text: line });
      expect(chunks.map(({ content, overlap }) => content.slice(overlap)).join('')).toBe(line);
      expectSizes(chunks.slice(0, 100));
    }
  });
});
