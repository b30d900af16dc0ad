import type { Tool } from '../frame/tool.ts';
import { vizpromptEn, type VizpromptMessages } from './messages/en.ts';
import { vizpromptJa } from './messages/ja.ts';

/** The command line vizprompt. */
export const vizprompt: Tool<VizpromptMessages> = {
  name: 'vizprompt',
  messages: { en: vizpromptEn, ja: vizpromptJa },
  takeDataFile: ['trust'],
  commands: [
    { name: 'init', load: () => import('./commands/init.ts') },
    {
      name: 'create-node',
      load: async () => (await import('./commands/node.ts')).createNodeCommand,
    },
    { name: 'get-node', load: async () => (await import('./commands/node.ts')).getNodeCommand },
    {
      name: 'update-node',
      load: async () => (await import('./commands/node.ts')).updateNodeCommand,
    },
    {
      name: 'delete-node',
      load: async () => (await import('./commands/node.ts')).deleteNodeCommand,
    },
    { name: 'search', load: () => import('./commands/search.ts') },
    {
      name: 'flow',
      commands: [
        { name: 'list', load: async () => (await import('./commands/flow.ts')).listCommand },
        { name: 'show', load: async () => (await import('./commands/flow.ts')).showCommand },
        { name: 'create', load: async () => (await import('./commands/flow.ts')).createCommand },
        { name: 'connect', load: async () => (await import('./commands/flow.ts')).connectCommand },
        { name: 'branch', load: async () => (await import('./commands/flow.ts')).branchCommand },
        { name: 'rebuild', load: async () => (await import('./commands/flow.ts')).rebuildCommand },
      ],
    },
    { name: 'import', load: () => import('./commands/import.ts') },
    { name: 'build', load: () => import('./commands/build.ts') },
    { name: 'context', load: () => import('./commands/context.ts') },
    { name: 'chat', load: () => import('./commands/chat.ts') },
    { name: 'export', load: () => import('./commands/export.ts') },
    { name: 'check', load: async () => (await import('./commands/check.ts')).checkCommand },
    { name: 'repair', load: async () => (await import('./commands/check.ts')).repairCommand },
    { name: 'undo', load: async () => (await import('./commands/undo.ts')).undoCommand },
    { name: 'redo', load: async () => (await import('./commands/undo.ts')).redoCommand },
    { name: 'erase', load: async () => (await import('./commands/erase.ts')).eraseCommand },
    { name: 'vacuum', load: async () => (await import('./commands/erase.ts')).vacuumCommand },
    { name: 'serve', load: () => import('./commands/serve.ts') },
    { name: 'trust', load: () => import('./commands/trust.ts') },
    { name: 'git-merge', load: () => import('./commands/git-merge.ts') },
    {
      name: 'workflow',
      commands: [
        { name: 'run', load: async () => (await import('./workflow/commands/run.ts')).runCommand },
        {
          name: 'resume',
          load: async () => (await import('./workflow/commands/run.ts')).resumeCommand,
        },
        {
          name: 'answer',
          load: async () => (await import('./workflow/commands/run.ts')).answerCommand,
        },
        {
          name: 'list',
          load: async () => (await import('./workflow/commands/show.ts')).listCommand,
        },
        {
          name: 'show',
          load: async () => (await import('./workflow/commands/show.ts')).showCommand,
        },
        { name: 'lint', load: () => import('./workflow/commands/lint.ts') },
        { name: 'dry-run', load: () => import('./workflow/commands/dry-run.ts') },
        { name: 'evaluate', load: () => import('./workflow/commands/evaluate.ts') },
        {
          name: 'draw',
          load: async () => (await import('./workflow/commands/show.ts')).drawCommand,
        },
        {
          name: 'serve',
          load: async () => (await import('./workflow/commands/serve.ts')).serveCommand,
        },
        {
          name: 'worker',
          load: async () => (await import('./workflow/commands/serve.ts')).workerCommand,
        },
      ],
    },
  ],
};
