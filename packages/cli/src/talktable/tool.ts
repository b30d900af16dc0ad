import type { Tool } from '../frame/tool.ts';
import { talktableEn, type TalktableMessages } from './messages/en.ts';
import { talktableJa } from './messages/ja.ts';

/** The command line talktable. */
export const talktable: Tool<TalktableMessages> = {
  name: 'talktable',
  messages: { en: talktableEn, ja: talktableJa },
  commands: [
    { name: 'run', load: async () => (await import('./commands/run.ts')).runCommand },
    { name: 'resume', load: async () => (await import('./commands/run.ts')).resumeCommand },
    { name: 'say', load: async () => (await import('./commands/run.ts')).sayCommand },
    { name: 'list', load: async () => (await import('./commands/log.ts')).listCommand },
    { name: 'show', load: async () => (await import('./commands/log.ts')).showCommand },
    { name: 'erase', load: async () => (await import('./commands/log.ts')).eraseCommand },
    { name: 'export', load: async () => (await import('./commands/log.ts')).exportCommand },
  ],
};
