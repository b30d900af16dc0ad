import type { Tool } from '../frame/tool.ts';
import { vizpromptEn } from './messages/en.ts';
import { vizpromptJa } from './messages/ja.ts';
import { workflow } from './workflow/commands.ts';
import type { VizpromptMessages } from './messages/vizprompt-messages.ts';

/** The command line vizprompt. */
export const vizprompt: Tool<VizpromptMessages> = {
  name: 'vizprompt',
  messages: { en: vizpromptEn, ja: vizpromptJa },
  takeDataFile: ['trust'],
  commands: [
    { name: 'init', load: () => import('./commands/init.ts') },
    { name: 'create-node', load: () => import('./commands/create-node.ts') },
    { name: 'get-node', load: () => import('./commands/get-node.ts') },
    { name: 'update-node', load: () => import('./commands/update-node.ts') },
    { name: 'delete-node', load: () => import('./commands/delete-node.ts') },
    { name: 'search', load: () => import('./commands/search.ts') },
    {
      name: 'flow',
      commands: [
        { name: 'list', load: () => import('./commands/flow-list.ts') },
        { name: 'show', load: () => import('./commands/flow-show.ts') },
        { name: 'create', load: () => import('./commands/flow-create.ts') },
        { name: 'connect', load: () => import('./commands/flow-connect.ts') },
        { name: 'branch', load: () => import('./commands/flow-branch.ts') },
        { name: 'rebuild', load: () => import('./commands/flow-rebuild.ts') },
      ],
    },
    { name: 'import', load: () => import('./commands/import.ts') },
    { name: 'build', load: () => import('./commands/build.ts') },
    { name: 'context', load: () => import('./commands/context.ts') },
    { name: 'chat', load: () => import('./commands/chat.ts') },
    { name: 'export', load: () => import('./commands/export.ts') },
    { name: 'check', load: () => import('./commands/check.ts') },
    { name: 'repair', load: () => import('./commands/repair.ts') },
    { name: 'undo', load: () => import('./commands/undo.ts') },
    { name: 'redo', load: () => import('./commands/redo.ts') },
    { name: 'erase', load: () => import('./commands/erase.ts') },
    { name: 'vacuum', load: () => import('./commands/vacuum.ts') },
    { name: 'serve', load: () => import('./commands/serve.ts') },
    { name: 'trust', load: () => import('./commands/trust.ts') },
    { name: 'git-merge', load: () => import('./commands/git-merge.ts') },
    workflow,
  ],
};
