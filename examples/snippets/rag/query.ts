// #region query
import { SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
const { total } = await backend.search('鍵 +箱 -tag:設定 path:contents/**');
const { total: read } = await backend.search('よみ:らしんばん');
console.log(total, read); // 1 1
// #endregion query
