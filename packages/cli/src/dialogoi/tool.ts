import type { Tool } from '../frame/tool.ts';
import { dialogoiEn, type DialogoiMessages } from './messages/en.ts';
import { dialogoiJa } from './messages/ja.ts';

/** The command line dialogoi. */
export const dialogoi: Tool<DialogoiMessages> = {
  name: 'dialogoi',
  messages: { en: dialogoiEn, ja: dialogoiJa },
  commands: [
    {
      name: 'projects',
      load: async () => (await import('./commands/projects.ts')).projectsCommand,
    },
    { name: 'files', load: async () => (await import('./commands/files.ts')).filesCommand },
    { name: 'index', load: async () => (await import('./commands/projects.ts')).indexCommand },
    { name: 'search', load: () => import('./commands/search.ts') },
    { name: 'get', load: async () => (await import('./commands/files.ts')).getCommand },
    { name: 'add', load: async () => (await import('./commands/files.ts')).addCommand },
    { name: 'eval', load: () => import('./commands/eval.ts') },
    {
      name: 'dictionary',
      load: async () => (await import('./commands/dictionary.ts')).dictionaryCommand,
    },
    {
      name: 'thesaurus',
      load: async () => (await import('./commands/dictionary.ts')).thesaurusCommand,
    },
    { name: 'mcp', load: () => import('./commands/mcp.ts') },
  ],
};
