import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Returns a small novel: `novels/灯台` below a folder. */
export async function writeNovel(folder: string, name = '灯台'): Promise<string> {
  const root = join(folder, 'novels', name);
  const files = {
    'novel.json': '{"title": "灯台守の娘", "author": "島 渚", "tags": ["海"]}',
    'DIALOGOI.md': '# 書き方\n\n一人称で書く。\n',
    'settings/人物.md':
      '---\ntags: [人物]\n---\n# 人物\n\n## 灯\n\n灯台守の娘。十六歳。\n\n## 老人\n\n櫂を漕ぐ老人。無口。\n',
    'contents/01.md': '# 第一章 嵐の夜\n\n嵐の夜、灯は一人で灯台の火を守った。\n',
    'contents/10.md': '# 第十章 箱\n\n祖父の埋めた箱には鍵がなかった。\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}
