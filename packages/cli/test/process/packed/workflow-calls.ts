import type { PackedCall } from './packed-command.ts';

const files = {
  'flows.yaml': `prompts: { ask: '載せますか？' }
workflows:
  approval:
    steps:
      - { id: ask, type: human, prompt_id: ask, output: { schema: { type: boolean } }, output_variable: yes }
`,
  'nap.yaml': 'workflows: { nap: { steps: [{ id: wait, type: sleep, duration: 1 }] } }\n',
  'cases.jsonl': '{"input": "a", "expected": "a"}\n',
};
const file = ['--file', 'flows.yaml'];

/** Commands of workflows, each of which loads something else; a person answers, so that no model is needed. */
export const workflowCalls: readonly PackedCall[] = [
  { args: ['workflow', 'lint', 'flows.yaml'], files },
  { args: ['workflow', 'run', 'approval', '--id', 'a', ...file], code: 1 },
  { args: ['workflow', 'show', 'a'], shows: '載せますか？' },
  { args: ['workflow', 'answer', 'a', 'ask', 'true'], shows: 'answered' },
  { args: ['workflow', 'resume', 'a'], shows: 'true' },
  {
    args: ['workflow', 'evaluate', 'nap', '--dataset', 'cases.jsonl', '--file', 'nap.yaml'],
    shows: '| exact |',
  },
  {
    args: ['workflow', 'serve', '--port', '0', ...file],
    signalAt: { text: 'listening', signal: 'SIGTERM' },
  },
  // There is no database here. That it works with one is shown by the tests of workers.
  { args: ['workflow', 'worker', '--url', 'postgres://127.0.0.1:1/none'], code: 1 },
];
