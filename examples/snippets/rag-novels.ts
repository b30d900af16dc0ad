// #region open
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });
for (const { id, title } of await novels.listProjects()) console.log(id, title);
// #endregion open

// #region search
novels.events.on('project:progress', ({ done, total }) => console.error(done, 'of', total));
const { hits } = await novels.search('灯台', '箱の鍵はどこに埋めた？', { area: 'contents', k: 3 });
for (const { payload } of hits) console.log(`${payload.file}:${payload.start}-${payload.end}`);
// #endregion search

// #region files
const { files, total } = await novels.list('灯台', 'settings', { limit: 20 });
for (const { path, preview } of files) console.log(path, preview.slice(0, 20));
const lines = { file: '人物.md', startLine: 6, endLine: 8 }; // settings/人物.md
const { files: texts } = await novels.read('灯台', 'settings', lines);
console.log(total, texts[0]?.text);

await novels.add('灯台', 'contents', '第三章.md', '# 第三章\n\n針は南を指した。\n');
const { hits: added } = await novels.search('灯台', '針が指したのは？', { k: 1 });
console.log(added[0]?.payload.file); // contents/第三章.md
// #endregion files

// #region errors
import { RagError } from '@vizprompt/rag';

try {
  await novels.add('灯台', 'settings', '../../secret.md', 'x');
} catch (error) {
  if (!RagError.isInstance(error)) throw error;
  console.log(error.code, error.message); // path-invalid "灯台/settings/../../secret.md" is not ...
}
// #endregion errors

// #region backend
import { SegmentBackend, readSynonyms } from '@vizprompt/rag';

const withNames = await NovelService.open({
  config,
  openBackend: (folder, { analyzer, chunking }) => {
    const synonyms = readSynonyms('ミナト, 灯ちゃん', analyzer);
    return SegmentBackend.open({ folder, analyzer, chunking, synonyms });
  },
});
console.log((await withNames.search('灯台', '灯ちゃん', { area: 'contents' })).total > 0); // true
await withNames.close();
// #endregion backend

// #region http
import { serveNovelHttp } from '@vizprompt/rag/mcp';

await using server = await serveNovelHttp(novels); // on 127.0.0.1, at a port that is free
console.error(server.url);
// #endregion http
