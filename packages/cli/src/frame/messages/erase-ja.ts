import type { EraseMessages } from './erase-messages.ts';

/** Messages of the commands that erase a person, in Japanese. */
export const eraseJa: EraseMessages = {
  speaker: '消す人またはエージェントの名前。大文字・小文字、全角・半角は区別しません',
  text: 'その人のほかの発言。見つかった場所すべてで置き換えます。複数指定可。- で標準入力から読みます',
  mentions: 'ほかの人の発言に出てくる名前も置き換える',
  dryRun: '何が消えるかを表示するだけ',
  nothing: '消すものは見つかりませんでした',
  place: (place: string, found: number): string => `  ${place}: ${found} 件`,
  done: '消去しました:',
  planned: '消去されるもの:',
  remains: '次の場所には届きません。ご自身で確認してください:',
  remainder: {
    git: () =>
      'gitの履歴（リポジトリ内の場合）: 履歴とクローンを書き換えてください（git filter-repo）',
    'database-log': () => 'PostgreSQLサーバーのWAL、レプリカ、バックアップ',
    backups: () => '作成済みのバックアップ、エクスポート、ファイルシステムのスナップショット',
    mentions: (found: number): string =>
      `ほかの人の発言に出てくる名前（${found} か所）: --mentions で置き換えます`,
    'damaged-rows': (found: number): string =>
      `壊れていて読めない行が${found}件あります。ptta checkで確認してください`,
    'broken-files': (found: number): string =>
      `解釈できず、名前を含むファイル ${found} 件: 修復するか削除してください`,
    config: () => '会話やワークフローの設定など、自分で書いたファイル',
    dbos: () => 'ワーカーが実行している場合、DBOSのテーブル: 実行の記録をそちらで削除してください',
    transcripts: () => 'エージェント自身が残すセッション記録（~/.claude/projects など）',
    'vector-server': () =>
      'Qdrantなどのサーバー上のベクトル（サーバーがセグメントを最適化するまで）',
  },
};
