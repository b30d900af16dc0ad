// #region first
import { SegmentBackend } from '@vizprompt/rag';

const text = `# 第一章 嵐の夜

嵐の夜だった。灯台守の娘ミナトは、濡れた石の階段を駆け上がった。

# 第二章 鍵

翌朝、流れ着いた箱には錠が下りていた。鍵は、灯台の礎石の下に埋められていた。
`;
await using backend = await SegmentBackend.open({ folder: './index' });
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });

const { hits } = await backend.search('箱の鍵はどこに埋められていた？', { limit: 1 });
for (const { match, payload, headingPath, score } of hits) {
  console.log(`${payload.file}:${payload.start}-${payload.end}`, headingPath.join(' › '), score);
  console.log(bold(match.text, match.highlights));
}

function bold(snippet: string, highlights: readonly (readonly [number, number])[]): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of highlights) {
    marked += `${snippet.slice(at, start)}**${snippet.slice(start, end)}**`;
    at = end;
  }
  return marked + snippet.slice(at);
}
// #endregion first
