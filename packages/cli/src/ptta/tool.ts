import type { Tool } from '../frame/tool.ts';
import { pttaEn } from './messages/en.ts';
import { pttaJa } from './messages/ja.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** The command line ptta. */
export const ptta: Tool<PttaMessages> = {
  name: 'ptta',
  messages: { en: pttaEn, ja: pttaJa },
  commands: [
    { name: 'session:start', load: () => import('./commands/session-start.ts') },
    { name: 'log:user', load: () => import('./commands/log-user.ts') },
  ],
};
