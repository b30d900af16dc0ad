import type { DialogoiMessages } from './dialogoi-messages.ts';

/** What dialogoi says, in English. */
export const dialogoiEn: DialogoiMessages = {
  about: 'Search over novels and notes, Japanese first.',
  data: 'the folder with config/dialogoi.config.json (default: the nearest one upwards)',
  summaries: {},
};
