// #region rebuild
import { SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({
  folder: './index',
  analyzer: segmenterAnalyzer(), // the index was made with another one
  on: { 'index:discarded': ({ reason }) => console.log('rebuilt:', reason) },
});
await backend.ready; // all of it is there again; searches before find what is done so far
console.log((await backend.stats()).analyzer);
// #endregion rebuild
