// #region program
import { appendFile } from 'node:fs/promises';
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });

async function ask(question: string): Promise<void> {
  const { hits } = await novels.search('灯台', question, { limit: 1 });
  for (const { payload, content } of hits) {
    console.log(`${payload.file}:${payload.start}-${payload.end}`, JSON.stringify(content));
  }
}

await ask('箱を埋めたのは誰？');
await appendFile('novels/灯台/contents/01.md', '\n# 第三章\n\n羅針盤の針は南を指した。\n');
await novels.index('灯台'); // it follows the files on its own, half a second later
await ask('針はどこを指した？');
// #endregion program
