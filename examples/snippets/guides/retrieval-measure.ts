// #region program
import { compactAnalyzer, readSynonyms, SegmentBackend } from '@vizprompt/rag';
import { evaluate, formatEvaluation } from '@vizprompt/rag';

const analyzer = await compactAnalyzer();
const names = readSynonyms('ミナト, ナギちゃん\n箱, 櫃', analyzer); // or what a file of names holds
const questions = [
  { question: 'ナギちゃんは何を駆け上がった？', relevant: ['contents/01.md'] },
  { question: 'ナギちゃん', relevant: ['contents/01.md'] },
];
for (const [name, synonyms] of Object.entries({ plain: readSynonyms('', analyzer), names })) {
  await using backend = await SegmentBackend.open({ folder: './index', analyzer, synonyms });
  console.log(formatEvaluation({ [name]: await evaluate(backend, questions) }));
}
// #endregion program
