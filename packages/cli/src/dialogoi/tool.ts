import type { Tool } from '../frame/tool.ts';
import { dialogoiEn } from './messages/en.ts';
import { dialogoiJa } from './messages/ja.ts';
import type { DialogoiMessages } from './messages/dialogoi-messages.ts';

/** The command line dialogoi. */
export const dialogoi: Tool<DialogoiMessages> = {
  name: 'dialogoi',
  messages: { en: dialogoiEn, ja: dialogoiJa },
  commands: [
    { name: 'projects', load: () => import('./commands/projects.ts') },
    { name: 'files', load: () => import('./commands/files.ts') },
    { name: 'index', load: () => import('./commands/index-projects.ts') },
    { name: 'search', load: () => import('./commands/search.ts') },
    { name: 'get', load: () => import('./commands/get.ts') },
    { name: 'add', load: () => import('./commands/add.ts') },
    { name: 'eval', load: () => import('./commands/eval.ts') },
    { name: 'dictionary', load: () => import('./commands/dictionary.ts') },
    { name: 'thesaurus', load: () => import('./commands/thesaurus.ts') },
    { name: 'mcp', load: () => import('./commands/mcp.ts') },
  ],
};
