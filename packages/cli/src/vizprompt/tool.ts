import type { Tool } from '../frame/tool.ts';
import { vizpromptEn } from './messages/en.ts';
import { vizpromptJa } from './messages/ja.ts';
import { workflow } from './workflow/commands.ts';
import type { VizpromptMessages } from './messages/vizprompt-messages.ts';

/** The command line vizprompt. */
export const vizprompt: Tool<VizpromptMessages> = {
  name: 'vizprompt',
  messages: { en: vizpromptEn, ja: vizpromptJa },
  commands: [workflow],
};
