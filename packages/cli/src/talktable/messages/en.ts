import type { TalktableMessages } from './talktable-messages.ts';

/** What talktable says, in English. */
export const talktableEn: TalktableMessages = {
  about: 'Models that talk to each other under a moderator.',
  data: 'the folder of the talk (default: the nearest one upwards with logs/conversation.db)',
  summaries: {},
};
