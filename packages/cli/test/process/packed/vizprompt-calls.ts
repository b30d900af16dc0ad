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

/** Each command of vizprompt at least once. */
export const vizpromptCalls: readonly PackedCall[] = [
  { args: ['init'], shows: 'wrote config.yaml' },
  {
    args: ['create-node', '--prompt-file', 'input.txt', '--response-file', 'output.txt'],
    files: { 'input.txt': '認証はどうする？', 'output.txt': 'JWTを使います。' },
    shows: 'Created node: ',
  },
  { args: ['create-node', '--prompt', '-'], input: '期限は？', shows: 'Created node: ' },
  { args: ['get-node', '1'], shows: 'JWTを使います。' },
  { args: ['update-node', '2', '--response', '十五分です。', '--tags', '期限'], shows: 'Updated' },
  { args: ['flow', 'create', '別の話', '--alias', 'other'], shows: 'Created flow: ' },
  { args: ['flow', 'branch', '1', '--prompt', '別案は？'], shows: 'Created node: ' },
  { args: ['flow', 'list'], shows: '3 nodes  main' },
  { args: ['flow', 'show'], shows: '└─* 3 別案は？' },
  { args: ['build', '--json'], shows: '"built":3' },
  { args: ['search', '--tags', '期限'], shows: '期限は？' },
  { args: ['context', '--prompt', '期限は？', '--node', '2'], shows: '十五分です。' },
  { args: ['flow', 'connect', '2', '3'], shows: 'Connected 2 → 3' },
  { args: ['flow', 'rebuild', 'main', '1', '2'], shows: 'a line of 2 nodes' },
  { args: ['undo'], shows: 'Taken back: ' },
  { args: ['redo'], shows: 'Made again: ' },
  { args: ['delete-node', '2'], shows: 'Deleted node: ' },
  { args: ['import', '-', '--format', 'openai'], input: CONVERSATION, shows: '1 imported' },
  { args: ['export', '--format', 'mermaid'], shows: 'flowchart TD' },
  { args: ['check'], shows: 'nothing is wrong' },
  { args: ['erase', '--speaker', 'Alice', '--dry-run'], shows: 'nothing to erase' },
  { args: ['vacuum', '--dry-run', '--json'], shows: '"dryRun":true' },
  { args: ['repair'], shows: 'There is nothing to repair.' },
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
  { args: ['trust'], shows: 'asks for no consent' },
  {
    args: ['git-merge', 'flow', 'base', 'ours', 'theirs', 'flows/00/09.yaml', '--json'],
    files: { base: FLOW, ours: FLOW, theirs: FLOW.replace('設計', '新しい設計') },
    shows: '"isMerged":true',
  },
  ...workflowCalls,
];
