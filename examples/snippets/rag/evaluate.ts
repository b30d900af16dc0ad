// #region evaluate
import { evaluate, formatEvaluation, SegmentBackend } from '@vizprompt/rag';

await using backend = await SegmentBackend.open({ folder: './index' });
const evaluation = await evaluate(backend, [
  { question: '灯を守ったのは誰？', relevant: ['contents/01.md'] },
]);
console.log(formatEvaluation({ words: evaluation }));
// #endregion evaluate
