import type { PackedCall } from './packed-command.ts';
import { workflowCalls } from './workflow-calls.ts';

const CONVERSATION = JSON.stringify([
  { role: 'user', content: '猫は好き？' },
  { role: 'assistant', content: 'はい。' },
]);

const FLOW = `id: 01990000-0000-7000-8000-000000000001
name: 設計
created: 2026-01-01T00:00:00.000+00:00
updated: 2026-01-01T00:00:00.000+00:00
description: ""
nodes: []
connections: []
`;

/** Commands of vizprompt, each of which loads or reads something else. */
export const vizpromptCalls: readonly PackedCall[] = [
  { args: ['init'], shows: 'wrote config.yaml' },
  {
    args: ['create-node', '--prompt-file', 'input.txt', '--response-file', 'output.txt'],
    files: { 'input.txt': '認証はどうする？', 'output.txt': 'JWTを使います。' },
    shows: 'Created node: ',
  },
  { args: ['create-node', '--prompt', '-'], input: '期限は？', shows: 'Created node: ' },
  { args: ['get-node', '1'], shows: 'JWTを使います。' },
  { args: ['flow', 'branch', '1', '--prompt', '別案は？'], shows: 'Created node: ' },
  { args: ['flow', 'show'], shows: '└─* 3 別案は？' },
  { args: ['build', '--json'], shows: '"built":3' },
  { args: ['search', '期限'], shows: '期限は？' },
  { args: ['context', '--prompt', '期限は？', '--node', '1'], shows: 'JWTを使います。' },
  { args: ['flow', 'connect', '2', '3'], shows: 'Connected 2 → 3' },
  { args: ['undo'], shows: 'Taken back: ' },
  { args: ['import', '-', '--format', 'openai'], input: CONVERSATION, shows: '1 imported' },
  { args: ['export', '--format', 'mermaid'], shows: 'flowchart TD' },
  { args: ['check'], shows: 'nothing is wrong' },
  // Without a server the prompt is stored, and there is no answer.
  {
    args: ['chat', '--model', 'ollama:m', '--base-url', 'http://127.0.0.1:9'],
    input: '/tree\n猫は？\n',
    code: 6,
    shows: '認証はどうする？',
  },
  {
    args: ['serve', '--port', '0'],
    signalAt: { text: 'listening', signal: 'SIGTERM' },
    shows: 'ws://127.0.0.1:',
  },
  {
    args: ['git-merge', 'flow', 'base', 'ours', 'theirs', 'flows/00/09.yaml', '--json'],
    files: { base: FLOW, ours: FLOW, theirs: FLOW.replace('設計', '新しい設計') },
    shows: '"isMerged":true',
  },
  ...workflowCalls,
];
