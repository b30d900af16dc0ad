import { createTokenEstimator } from '@vizprompt/providers';
import { expect } from 'vitest';
import type { Chunk, ChunkingStrategy } from '@vizprompt/rag';

const estimator = createTokenEstimator();

export function ownText({ content, overlap }: Chunk): string {
  return content.slice(overlap);
}

export async function chunk(
  strategy: ChunkingStrategy,
  text: string,
  filePath = 'contents/01.md',
): Promise<readonly Chunk[]> {
  const chunks = await strategy.chunk({ novelId: 'neko', filePath, text });
  expectExact(text, chunks, strategy.id.startsWith('markdown'));
  return chunks;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*[\r\n][^]*?[\r\n]---[ \t]*(?:[\r\n]|$)/;
/** No text is in a line of YAML: there is a key, or something under one. */
const NO_YAML = /^(?![ \t#\-\]}]|[^:]+:(?:\s|$))./mu;

/** With any cut: exact lines, nothing lost but front matter, nothing twice, unique ids. */
function expectExact(text: string, chunks: readonly Chunk[], hasFrontMatter: boolean): void {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  let from = 0;
  for (const [index, piece] of chunks.entries()) {
    const own = ownText(piece);
    const at = text.indexOf(own, from);
    const between = text.slice(from, at);
    const front = (index === 0 && hasFrontMatter && FRONT_MATTER.exec(between)?.[0]) || '';
    if (/\S/.test(between.slice(front.length)) || NO_YAML.test(front) || at < from) {
      throw new Error(`Lost before ${piece.id}`);
    }
    if (own.trim() === '') throw new Error(`Empty: ${piece.id}`);
    if (!text.slice(0, at + own.length).endsWith(piece.content)) {
      throw new Error(`Not contiguous: ${piece.id}`);
    }
    if (piece.chunkIndex !== index) throw new Error(`Wrong index: ${piece.id}`);
    const breaks = (part: string) => part.split(/\r\n?|\n/).length - 1;
    if (piece.startLine !== breaks(text.slice(0, at)) + 1) throw new Error(`Starts: ${piece.id}`);
    if (piece.endLine !== piece.startLine + breaks(own)) throw new Error(`Ends: ${piece.id}`);
    const cited = lines.slice(piece.startLine - 1, piece.endLine).join('');
    if (!cited.includes(own)) throw new Error(`Lines are wrong: ${piece.id}`);
    from = at + own.length;
  }
  if (/\S/.test(text.slice(from).replace(/^\uFEFF/, ''))) throw new Error('Lost at the end');
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(chunks.length);
}

export function expectSizes(chunks: readonly Chunk[], maxTokens = 400, overlap = 0.2): void {
  for (const piece of chunks) {
    const own = estimator.count(ownText(piece)).tokens;
    if (own > maxTokens) throw new Error(`${own} tokens: ${piece.id}`);
    const repeated = estimator.count(piece.content.slice(0, piece.overlap)).tokens;
    if (repeated > maxTokens * overlap) throw new Error(`${repeated} repeated: ${piece.id}`);
  }
}
