// #region program
import { SegmentBackend } from '@vizprompt/rag';

const text = `# 第一章 嵐の夜

嵐の夜、灯台守の娘ミナトは、濡れた石の階段を駆け上がった。

# 第二章 鍵

流れ着いた箱には錠が下りていた。鍵は、灯台の礎石の下に埋められていた。
ミナトは浜まで走った。
`;
await using backend = await SegmentBackend.open({ folder: './index' });
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });

for (const query of ['鍵はどこに埋めた？', '走る', 'かけあがる']) {
  const { hits } = await backend.search(query, { limit: 1 });
  for (const { payload, match } of hits) {
    const found = match.highlights.map(([start, end]) => match.text.slice(start, end));
    console.log(`${query}  ${payload.file}:${payload.start}-${payload.end}  ${found.join(' ')}`);
  }
}
// #endregion program
