// #region novel-search
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });
novels.events.on('project:progress', ({ done, total }) => console.error(done, 'of', total));
novels.events.on('file:failed', ({ path, error }) => console.error(path, error.message));
novels.events.on('search:degraded', ({ error }) => console.error('words only:', error));

const { hits } = await novels.search('灯台', '箱の鍵はどこに埋めた？', {
  area: 'contents', // or 'settings'. Default: both
  files: ['**/*.md'], // paths, folders ending in /, globs. Default: all
  tags: [], // all of them. Default: any
  limit: 3, // default and most: search.defaultK and search.maxK of the settings
  offset: 0, // of further pages
  expand: { before: 1, after: 1 }, // neighbouring chunks, as `context` of a hit
  explain: false, // whether hits explain their score
  signal: AbortSignal.timeout(120_000), // the first search makes the index
});
for (const { payload } of hits) console.log(`${payload.file}:${payload.start}-${payload.end}`);
// #endregion novel-search
