import type { Tool } from '../frame/tool.ts';
import { pttaEn } from './messages/en.ts';
import { pttaJa } from './messages/ja.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** The command line ptta. */
export const ptta: Tool<PttaMessages> = {
  name: 'ptta',
  messages: { en: pttaEn, ja: pttaJa },
  // An agent takes a failure of its hook for a refusal of what was said: its log receives the error.
  takeDataFile: ['hook'],
  commands: [
    { name: 'session:start', load: () => import('./commands/session-start.ts') },
    { name: 'session:end', load: () => import('./commands/session-end.ts') },
    { name: 'session:list', load: () => import('./commands/session-list.ts') },
    { name: 'session:show', load: () => import('./commands/session-show.ts') },
    { name: 'session:current', load: () => import('./commands/session-current.ts') },
    { name: 'log:user', load: () => import('./commands/log-user.ts') },
    { name: 'log:assistant', load: () => import('./commands/log-assistant.ts') },
    { name: 'log:thinking', load: () => import('./commands/log-thinking.ts') },
    { name: 'log:intention', load: () => import('./commands/log-intention.ts') },
    { name: 'log:edit', load: () => import('./commands/log-edit.ts') },
    { name: 'log:tool', load: () => import('./commands/log-tool.ts') },
    { name: 'history', load: () => import('./commands/history.ts') },
    { name: 'file:history', load: () => import('./commands/file-history.ts') },
    { name: 'search', load: () => import('./commands/search.ts') },
    { name: 'stats', load: () => import('./commands/stats.ts') },
    { name: 'export', load: () => import('./commands/export.ts') },
    { name: 'export:file', load: () => import('./commands/export-file.ts') },
    { name: 'edit', load: () => import('./commands/edit.ts') },
    { name: 'edit:record', load: () => import('./commands/edit-record.ts') },
    { name: 'import', load: () => import('./commands/import.ts') },
    { name: 'hook', load: () => import('./commands/hook.ts') },
    { name: 'setup', load: () => import('./commands/setup.ts') },
    { name: 'hooks:install', load: () => import('./commands/hooks-install.ts') },
    { name: 'hooks:ingest', load: () => import('./commands/hooks-ingest.ts') },
    { name: 'workspace:join', load: () => import('./commands/workspace-join.ts') },
    { name: 'workspace:part', load: () => import('./commands/workspace-part.ts') },
    { name: 'recall', load: () => import('./commands/recall.ts') },
    { name: 'backup', load: () => import('./commands/backup.ts') },
    { name: 'check', load: () => import('./commands/check.ts') },
    { name: 'forget', load: () => import('./commands/forget.ts') },
    { name: 'erase', load: () => import('./commands/erase.ts') },
    { name: 'redact', load: () => import('./commands/redact.ts') },
    { name: 'web', load: () => import('./commands/web.ts') },
    { name: 'serve', load: () => import('./commands/serve.ts') },
    { name: 'mcp', load: () => import('./commands/mcp.ts') },
  ],
};
