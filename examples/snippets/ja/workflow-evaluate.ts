// #region evaluate
import {
  compareEvaluations,
  comparisonTable,
  contains,
  evaluateWorkflow,
  evaluationTable,
} from '@vizprompt/workflow/evaluation';

const common = {
  workflow: 'story',
  dataset: [{ input: '猫', expected: '猫' }], // ファイルでもよい：cases.jsonl
  judges: { onTopic: contains, isShort: ({ output }) => JSON.stringify(output).length < 2000 },
  repeat: 2,
} satisfies Partial<Parameters<typeof evaluateWorkflow>[0]>;
const before = await evaluateWorkflow({ files: 'flows.yaml', ...common });
console.log(evaluationTable(before)); // | onTopic | 1.000 | ... |
const after = await evaluateWorkflow({ files: 'flows.yaml', ...common });
console.log(comparisonTable(compareEvaluations(before, after)));
// #endregion evaluate
