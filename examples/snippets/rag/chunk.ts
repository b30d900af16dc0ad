// #region chunk
import { MarkdownChunkingStrategy } from '@vizprompt/rag';

const text =
  '# 第二章 鍵\n\n箱には錠が下りていた。鍵はない。ミナトは灯台の礎石を調べた。鍵はそこにあった。\n';
const strategy = new MarkdownChunkingStrategy({ maxTokens: 36, overlap: 0.4 });
for (const chunk of await strategy.chunk({ novelId: '灯台', filePath: 'contents/02.md', text })) {
  const { startLine, endLine, content, overlap } = chunk;
  console.log(startLine, endLine, content.slice(0, overlap), '|', content.slice(overlap));
}
// The second begins with what the first ends with: 鍵はない。 | ミナトは灯台の礎石を調べた。鍵はそこにあった。
// #endregion chunk
