// #region chunk
import { readFile } from 'node:fs/promises';
import { MarkdownChunkingStrategy } from '@vizprompt/rag';

const text = await readFile('novels/灯台/contents/01.md', 'utf8');
const strategy = new MarkdownChunkingStrategy({ maxTokens: 40, overlap: 0.5 });
for (const chunk of await strategy.chunk({ novelId: '灯台', filePath: 'contents/01.md', text })) {
  const { id, startLine, endLine, content, overlap } = chunk;
  console.log(id, startLine, endLine, content.slice(0, overlap), '|', content.slice(overlap));
}
// #endregion chunk
