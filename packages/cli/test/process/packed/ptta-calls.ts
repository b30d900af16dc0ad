import type { PackedCall } from './packed-command.ts';

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

/** Commands of ptta, each of which loads or reads something else. */
export const pttaCalls: readonly PackedCall[] = [
  { args: ['session:start', '--workspace', '.'], shows: 'started' },
  { args: ['log:user', '-'], input: '認証機能を追加してください', shows: 'user_message' },
  {
    args: ['log:intention', 'a.txt', '--reason', '追加'],
    files: { 'a.txt': 'one\n' },
    shows: 'code_intention',
  },
  { args: ['log:edit', 'a.txt', '--action', 'edit'], shows: 'file_edit' },
  { args: ['edit', 'a.txt', '--reason', 'r', '--editor', 'echo two >>'], shows: '+two' },
  { args: ['edit:record', 'b.txt', '--reason', 'r', '--', 'touch', 'b.txt'], shows: 'file_edit' },
  { args: ['file:history', 'a.txt'], shows: '+two' },
  { args: ['search', '認証'], shows: '認証' },
  { args: ['export', '--output', 'all.json'], shows: 'all.json' },
  { args: ['import', 'all.json', 'claude.jsonl'], files: { 'claude.jsonl': lines(transcript) } },
  { args: ['recall', '認証'], shows: '認証' },
  { args: ['backup', 'copy.db'], shows: 'copy.db' },
  { args: ['setup', 'codex', '--dry-run'] },
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
  { args: ['mcp'], input: '' },
  { args: ['session:end'], shows: 'ended' },
];

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
