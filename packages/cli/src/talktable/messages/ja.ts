import type { TalktableMessages } from './talktable-messages.ts';

/** What talktable says, in Japanese. */
export const talktableJa: TalktableMessages = {
  about: '司会者のもとでモデル同士が話し合います。',
  data: '会話のフォルダー（既定: 上へたどって最初に logs/conversation.db が見つかるもの）',
  summaries: {},
};
