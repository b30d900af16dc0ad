import type { Tool } from '../frame/tool.ts';
import { talktableEn } from './messages/en.ts';
import { talktableJa } from './messages/ja.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

/** The command line talktable. */
export const talktable: Tool<TalktableMessages> = {
  name: 'talktable',
  messages: { en: talktableEn, ja: talktableJa },
  commands: [
    { name: 'run', load: () => import('./commands/run.ts') },
    { name: 'resume', load: () => import('./commands/resume.ts') },
    { name: 'say', load: () => import('./commands/say.ts') },
    { name: 'list', load: () => import('./commands/list.ts') },
    { name: 'show', load: () => import('./commands/show.ts') },
    { name: 'erase', load: () => import('./commands/erase.ts') },
    { name: 'export', load: () => import('./commands/export.ts') },
  ],
};
