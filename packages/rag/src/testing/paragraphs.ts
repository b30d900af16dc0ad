import { Chunk } from '../chunk/chunk.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';

/** A chunk for each paragraph. */
export const paragraphs: ChunkingStrategy = {
  id: 'paragraphs-1',
  chunk({ novelId, filePath, text, tags = [] }) {
    const seen = new Map<string, number>();
    const chunks: Chunk[] = [];
    let line = 1;
    for (const part of text.split('\n\n')) {
      const height = part.split('\n').length;
      const place = { startLine: line, endLine: line + height - 1, chunkIndex: chunks.length };
      const ordinal = seen.get(part) ?? 0;
      seen.set(part, ordinal + 1);
      const what = { title: '', content: part, filePath, novelId, tags };
      if (part.trim() !== '') chunks.push(new Chunk({ ...what, ...place }, ordinal));
      line += height + 1;
    }
    return Promise.resolve(chunks);
  },
};
