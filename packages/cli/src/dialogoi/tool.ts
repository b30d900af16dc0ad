import type { Tool } from '../frame/tool.ts';
import { dialogoiEn } from './messages/en.ts';
import { dialogoiJa } from './messages/ja.ts';
import type { DialogoiMessages } from './messages/dialogoi-messages.ts';

/** The command line dialogoi. */
export const dialogoi: Tool<DialogoiMessages> = {
  name: 'dialogoi',
  messages: { en: dialogoiEn, ja: dialogoiJa },
  commands: [],
};
