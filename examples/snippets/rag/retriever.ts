// #region retriever
import { citationOf, retriever, SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
const passages = await retriever(backend, { expand: { before: 1, after: 1 } }).retrieve('灯', {
  limit: 3,
  filter: { projects: '灯台' },
});
for (const passage of passages) console.log(citationOf(passage), passage.text);
// #endregion retriever
