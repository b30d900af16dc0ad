import type { Tool } from '../frame/tool.ts';
import { talktableEn } from './messages/en.ts';
import { talktableJa } from './messages/ja.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

/** The command line talktable. */
export const talktable: Tool<TalktableMessages> = {
  name: 'talktable',
  messages: { en: talktableEn, ja: talktableJa },
  commands: [],
};
