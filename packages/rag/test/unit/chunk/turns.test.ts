import {
  AozoraChunkingStrategy,
  AutoChunkingStrategy,
  MarkdownChunkingStrategy,
  PlainTextChunkingStrategy,
} from '@vizprompt/rag';
import { describe, expect, it } from 'vitest';

const STRATEGIES = [
  ['Markdown', new MarkdownChunkingStrategy()],
  ['plain text', new PlainTextChunkingStrategy()],
  ['Aozora', new AozoraChunkingStrategy()],
  ['each by its kind', new AutoChunkingStrategy()],
] as const;

/** Texts of one kind only, most of them one line. */
const TEXTS = {
  'one letter': 'あ'.repeat(2_000_000),
  words: 'the cat sat '.repeat(200_000),
  sentences: '猫がいる。'.repeat(400_000),
  quotes: '「'.repeat(2_000_000),
  lines: '猫\n'.repeat(400_000),
};
const CASES = STRATEGIES.flatMap(([name, strategy]) =>
  Object.entries(TEXTS).map(([kind, text]) => ({ name, strategy, kind, text })),
);

describe('a document that is long', () => {
  it.each(CASES)('$name: the cutting of $kind is stopped in the middle', async (one) => {
    const stop = new AbortController();
    const reason = new Error('enough');
    // It runs in the first turn that the cutting lets others have.
    setImmediate(() => stop.abort(reason));
    const document = { novelId: 'n', filePath: 'a.md', text: one.text };
    await expect(one.strategy.chunk(document, { signal: stop.signal })).rejects.toBe(reason);
  });
});
