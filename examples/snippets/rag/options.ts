// #region options
import { SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
const page = await backend.search('灯台守', {
  limit: 5,
  offset: 0,
  filter: { projects: ['灯台'], files: ['contents/**', 'settings/'], tags: ['設定'] },
  expand: { before: 1, after: 1 },
  explain: true,
  signal: AbortSignal.timeout(1000),
});
console.log(page.total, page.hint);
for (const { context, explanation = [] } of page.hits) {
  console.log(`lines ${context?.start}-${context?.end}:`, context?.text);
  for (const { name, value } of explanation) console.log(name, value.toFixed(3));
}
// #endregion options
