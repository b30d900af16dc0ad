// #region novel-backend
import { loadRagConfig, NovelService, readSynonyms, SegmentBackend } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({
  config,
  openBackend: (folder, { analyzer, chunking }) => {
    const synonyms = readSynonyms('ミナト, 灯ちゃん', analyzer);
    return SegmentBackend.open({ folder, analyzer, chunking, synonyms });
  },
});
console.log((await novels.search('灯台', '灯ちゃん', { area: 'contents' })).total > 0); // true
// #endregion novel-backend
