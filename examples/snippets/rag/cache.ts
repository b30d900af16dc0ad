// #region cache
import { projectPatterns, SearchCache, searchKey, SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
await backend.ready; // what is found while an index is analysed again is not all there is
const cache = new SearchCache({ maxEntries: 200, ttl: 60_000 });
const options = { limit: 5, filter: { projects: ['灯台'] } };
const key = searchKey(options.filter.projects, '鍵はどこ？', options);
const found = await cache.remember(key, () => backend.search('鍵はどこ？', options));
console.log(found.hits[0]?.snippet);

await backend.updateFile({ novelId: '灯台', filePath: 'contents/02.md', text: '鍵は海に落ちた。' });
for (const pattern of projectPatterns('灯台')) await cache.invalidate(pattern);
// #endregion cache
