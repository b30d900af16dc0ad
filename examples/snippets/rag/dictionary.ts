// #region dictionary
import { compactAnalyzer } from '@vizprompt/rag';

const analyzer = await compactAnalyzer({
  onProgress: (share) => console.log(`the dictionary is compiled: ${Math.round(100 * share)} %`),
  signal: AbortSignal.timeout(120_000),
});
for (const { basic, reading, pos } of analyzer.words('走った')) {
  console.log(basic, reading, pos); // 走る ハシッ 動詞, then た タ 助動詞
}
// #endregion dictionary
