import type { PttaMessages } from './ptta-messages.ts';

/** What ptta says, in Japanese. */
export const pttaJa: PttaMessages = {
  about: 'AIのための外部記憶装置です。',
  data: '記憶のフォルダー（既定: 上へたどって最初の .ptta、なければ ~/.ptta）',
  summaries: {
    'session:start': 'セッションを開始',
    'log:user': 'ユーザーの発言を記録',
  },
  session: 'セッションのID（既定: このフォルダーか、その上のフォルダーで実行中のもの）',
  workspace: 'フォルダー（既定: gitリポジトリ、なければ現在のフォルダー）',
  branch: 'セッションに記録するgitのブランチ',
  message: '本文。- で標準入力から読みます',
  sessionStarted: (id: string, workspace: string): string =>
    `${workspace} でセッション ${id} を開始しました`,
  logged: (sequence: number, type: string, id: string): string => `${sequence} ${type} ${id}`,
  noMemory: (folder: string): string => `${folder} に記憶がありません（ptta.db がありません）`,
  noCurrentSession: (workspace: string): string =>
    `${workspace} とその上のフォルダーで実行中のセッションがありません: ptta session:start`,
};
