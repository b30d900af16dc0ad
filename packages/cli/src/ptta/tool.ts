import type { Tool } from '../frame/tool.ts';
import { pttaEn, type PttaMessages } from './messages/en.ts';
import { pttaJa } from './messages/ja.ts';

/** The command line ptta. */
export const ptta: Tool<PttaMessages> = {
  name: 'ptta',
  messages: { en: pttaEn, ja: pttaJa },
  // An agent takes a failure of its hook for a refusal of what was said: its log receives the error.
  takeDataFile: ['hook'],
  commands: [
    {
      name: 'session:start',
      load: async () => (await import('./commands/session.ts')).sessionStartCommand,
    },
    {
      name: 'session:end',
      load: async () => (await import('./commands/session.ts')).sessionEndCommand,
    },
    {
      name: 'session:list',
      load: async () => (await import('./commands/session.ts')).sessionListCommand,
    },
    {
      name: 'session:show',
      load: async () => (await import('./commands/session.ts')).sessionShowCommand,
    },
    {
      name: 'session:current',
      load: async () => (await import('./commands/session.ts')).sessionCurrentCommand,
    },
    { name: 'log:user', load: async () => (await import('./commands/log.ts')).logUserCommand },
    {
      name: 'log:assistant',
      load: async () => (await import('./commands/log.ts')).logAssistantCommand,
    },
    {
      name: 'log:thinking',
      load: async () => (await import('./commands/log.ts')).logThinkingCommand,
    },
    {
      name: 'log:intention',
      load: async () => (await import('./commands/log.ts')).logIntentionCommand,
    },
    { name: 'log:edit', load: async () => (await import('./commands/log.ts')).logEditCommand },
    { name: 'log:tool', load: async () => (await import('./commands/log.ts')).logToolCommand },
    { name: 'history', load: async () => (await import('./commands/history.ts')).historyCommand },
    {
      name: 'file:history',
      load: async () => (await import('./commands/history.ts')).fileHistoryCommand,
    },
    { name: 'search', load: async () => (await import('./commands/search.ts')).searchCommand },
    { name: 'stats', load: () => import('./commands/stats.ts') },
    { name: 'export', load: async () => (await import('./commands/export.ts')).exportCommand },
    {
      name: 'export:file',
      load: async () => (await import('./commands/export.ts')).exportFileCommand,
    },
    { name: 'edit', load: async () => (await import('./commands/edit.ts')).editCommand },
    {
      name: 'edit:record',
      load: async () => (await import('./commands/edit.ts')).editRecordCommand,
    },
    { name: 'import', load: () => import('./commands/import.ts') },
    { name: 'hook', load: async () => (await import('./commands/hook.ts')).hookCommand },
    { name: 'setup', load: async () => (await import('./commands/setup.ts')).setupCommand },
    {
      name: 'hooks:install',
      load: async () => (await import('./commands/setup.ts')).hooksInstallCommand,
    },
    {
      name: 'hooks:ingest',
      load: async () => (await import('./commands/hook.ts')).hooksIngestCommand,
    },
    {
      name: 'workspace:join',
      load: async () => (await import('./commands/workspace.ts')).workspaceJoinCommand,
    },
    {
      name: 'workspace:part',
      load: async () => (await import('./commands/workspace.ts')).workspacePartCommand,
    },
    { name: 'recall', load: async () => (await import('./commands/search.ts')).recallCommand },
    { name: 'backup', load: async () => (await import('./commands/memory-file.ts')).backupCommand },
    { name: 'check', load: async () => (await import('./commands/memory-file.ts')).checkCommand },
    { name: 'forget', load: async () => (await import('./commands/erase.ts')).forgetCommand },
    { name: 'erase', load: async () => (await import('./commands/erase.ts')).eraseCommand },
    { name: 'redact', load: async () => (await import('./commands/erase.ts')).redactCommand },
    { name: 'web', load: async () => (await import('./commands/serve.ts')).webCommand },
    { name: 'serve', load: async () => (await import('./commands/serve.ts')).serveCommand },
    { name: 'mcp', load: async () => (await import('./commands/serve.ts')).mcpCommand },
  ],
};
