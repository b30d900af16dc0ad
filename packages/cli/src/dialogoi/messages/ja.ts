import type { DialogoiMessages } from './dialogoi-messages.ts';

/** What dialogoi says, in Japanese. */
export const dialogoiJa: DialogoiMessages = {
  about: '小説と設定資料の検索。日本語が第一です。',
  data: 'config/dialogoi.config.json のあるフォルダー（既定: 上へたどって最初に見つかるもの）',
  summaries: {},
};
