// #region pages
import { SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
let shown = 0;
for await (const { id } of backend.searchAll('灯台', { limit: 20 })) {
  console.log(id);
  if (++shown === 100) break; // later pages are not searched
}
// #endregion pages
