import type { PackedCall } from './packed-command.ts';

const files = { 'novels/灯台/contents/01.md': '# 第一章\n\n嵐の夜、灯は灯台の火を守った。\n' };
const questions = '{"question": "火を守ったのは？", "relevant": ["contents/01.md"]}';

/** The commands of dialogoi. */
export const dialogoiCalls: readonly PackedCall[] = [
  { args: ['projects'], files, shows: '灯台' },
  { args: ['add', 'settings/人物.md', '--content', '-'], input: '# 灯', shows: 'created' },
  { args: ['files', 'settings'], shows: 'settings/人物.md' },
  { args: ['get', 'settings/人物.md'], shows: '# 灯' },
  { args: ['index'], shows: '2 indexed' },
  { args: ['search', '嵐の夜'], shows: 'contents/01.md:1-3' },
  { args: ['eval', '-'], input: questions, shows: 'hit@10' },
  {
    args: ['thesaurus', 'words.txt', '--out', 'words.bin', '--notice', 'ours'],
    files: { 'words.txt': '灯台,ライトハウス\n' },
    shows: 'words.bin',
  },
  { args: ['dictionary', '--out', 'ipadic.bin'], shows: 'ipadic.bin is ready' },
  { args: ['mcp', '--http'], shows: 'http://', signalAt: { text: 'listening', signal: 'SIGTERM' } },
];
