// #region memory
import { KeywordFlexBackend, segmenterAnalyzer } from '@vizprompt/rag';

await using backend = await KeywordFlexBackend.open({
  analyzer: segmenterAnalyzer(), // no dictionary
});
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text: '嵐の夜。' });
console.log((await backend.search('嵐')).total); // 1
// #endregion memory
