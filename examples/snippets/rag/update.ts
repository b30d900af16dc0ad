// #region update
import { readFile } from 'node:fs/promises';
import { SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
const people = await readFile('novels/灯台/settings/人物.md', 'utf8');
const { added, removed, kept } = await backend.updateFile({
  novelId: '灯台',
  filePath: 'settings/人物.md',
  text: people.replace('十六歳', '十七歳'),
});
console.log(added, removed, kept); // 1 1 1: only what changed was analysed
await backend.removeByFile({ novelId: '灯台', filePath: 'settings/old.md' });
// #endregion update
