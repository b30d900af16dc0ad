// #region novel-files
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });
const { files, total } = await novels.list('灯台', 'settings', { limit: 20 });
for (const { path, preview } of files) console.log(path, preview.slice(0, 20));
const lines = { file: '人物.md', startLine: 4, endLine: 6 }; // settings/人物.md
const { files: texts } = await novels.read('灯台', 'settings', lines);
console.log(total, texts[0]?.text);

const text = '# 第三章\n\n針は南を指した。\n';
await novels.add('灯台', 'contents', '第三章.md', text, { overwrite: true });
const { hits: added } = await novels.search('灯台', '針が指したのは？', { limit: 1 });
console.log(added[0]?.payload.file); // contents/第三章.md
// #endregion novel-files
