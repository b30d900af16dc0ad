import type { PackedCall } from './packed-command.ts';

const SESSION = '01a20000-0000-7000-8000-000000000001';

const transcript = [
  {
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 'packed',
    timestamp: '2026-01-31T00:00:00.000Z',
    cwd: '/home/me/app',
    version: '2.1.0',
    message: { role: 'user', content: '認証機能を追加' },
  },
];

/** Each command of ptta at least once. */
export const pttaCalls: readonly PackedCall[] = [
  { args: ['session:start', '--workspace', '.'], shows: 'started' },
  { args: ['session:current'], shows: 'running' },
  { args: ['session:list', '--json'], shows: '"workspace_path"' },
  { args: ['session:show', SESSION], code: 3 },
  { args: ['log:user', '-'], input: '認証機能を追加してください', shows: 'user_message' },
  { args: ['log:assistant', '実装します。'], shows: 'assistant_message' },
  { args: ['log:thinking', 'JWTがよい', '--context', '認証'], shows: 'thinking' },
  {
    args: ['log:intention', 'a.txt', '--reason', '追加'],
    files: { 'a.txt': 'one\n' },
    shows: 'code_intention',
  },
  { args: ['log:edit', 'a.txt', '--action', 'edit'], shows: 'file_edit' },
  { args: ['log:tool', 'Bash', '--params', '{"command":"ls"}'], shows: 'tool_use' },
  { args: ['edit', 'a.txt', '--reason', 'r', '--editor', 'echo two >>'], shows: '+two' },
  { args: ['edit:record', 'b.txt', '--reason', 'r', '--', 'touch', 'b.txt'], shows: 'file_edit' },
  { args: ['history'], shows: '認証機能を追加してください' },
  { args: ['file:history', 'a.txt'], shows: '+two' },
  { args: ['search', '認証'], shows: '認証' },
  { args: ['stats'], shows: 'events: ' },
  { args: ['export', '--output', 'all.json'], shows: 'all.json' },
  { args: ['export:file', 'a.txt'], shows: '"records"' },
  { args: ['import', 'all.json', 'claude.jsonl'], files: { 'claude.jsonl': lines(transcript) } },
  { args: ['recall', 'JWT'], shows: 'JWT' },
  { args: ['backup', 'copy.db'], shows: 'copy.db' },
  { args: ['check', 'copy.db'], shows: 'can be read' },
  { args: ['forget', SESSION], code: 3 },
  { args: ['setup', 'codex', '--dry-run'] },
  { args: ['workspace:join', 'other'] },
  { args: ['workspace:part', 'other'] },
  { args: ['erase', '--speaker', 'Alice', '--dry-run'], shows: 'nothing to erase' },
  { args: ['redact', '--dry-run'], shows: 'Found 0 secrets' },
  {
    args: ['hook'],
    input: JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 'hooked',
      cwd: '/home/me/app',
      prompt: 'やあ',
    }),
  },
  { args: ['hooks:ingest'], shows: 'stored' },
  { args: ['hooks:install', '--project'], shows: 'SessionStart' },
  { args: ['web', '--port', '0'], signalAt: { text: 'listening', signal: 'SIGTERM' } },
  { args: ['serve', '--port', '0'], signalAt: { text: 'listening', signal: 'SIGINT' } },
  { args: ['mcp'], input: '' },
  { args: ['session:end'], shows: 'ended' },
];

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
