// #region sample
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const files = {
  'contents/01.md':
    '# 第一章 嵐の夜\n\n嵐の夜だった。灯台守の娘ミナトは、濡れた石の階段を駆け上がり、灯を守った。\n\n' +
    '# 第二章 鍵\n\n流れ着いた箱の鍵は、灯台の礎石の下に埋められていた。針の狂った羅針盤《らしんばん》もあった。\n',
  'settings/人物.md':
    '---\ntags: [設定]\n---\n# ミナト\n\n十六歳。灯台守の娘。「灯ちゃん」と呼ばれている。\n\n' +
    '# 源蔵\n\nミナトの祖父で、先代の灯台守。箱を埋めた人。\n',
};
for (const [path, text] of Object.entries(files)) {
  const place = `novels/灯台/${path}`;
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
}
// #endregion sample
