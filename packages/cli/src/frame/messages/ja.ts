import type { EraseMessages, FrameMessages } from './frame-messages.ts';

/** Messages of the commands that erase a person, in Japanese. */
const eraseJa: EraseMessages = {
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
    'set-aside': (found: number): string =>
      `.vizprompt/set-aside のファイル ${found} 件（自分で書いたと確認できないもの）: 適用する（repair --batch）か削除してください`,
    'broken-files': (found: number): string =>
      `解釈できず、名前を含むファイル ${found} 件: 修復するか削除してください`,
    config: () => '会話やワークフローの設定など、自分で書いたファイル',
    dbos: () => 'ワーカーが実行している場合、DBOSのテーブル: 実行の記録をそちらで削除してください',
    transcripts: () => 'エージェント自身が残すセッション記録（~/.claude/projects など）',
    'vector-server': () =>
      'Qdrantなどのサーバー上のベクトル（サーバーがセグメントを最適化するまで）',
  },
};

const STANDARD_INPUT = '標準入力';

/** Returns a path in a sentence: a space sets it off, but not what is Japanese itself. */
function set(path: string): string {
  return path === STANDARD_INPUT ? path : `${path} `;
}

/** The texts of all tools, in Japanese. */
export const frameJa: FrameMessages = {
  options: {
    json: 'プログラム向け: 標準出力にJSON、エラーも標準エラーにJSONで出力',
    lang: 'メッセージの言語（既定: ロケールによる）',
    help: 'このヘルプを表示',
    version: 'バージョンを表示',
    trust: 'フォルダーが求める接続先、キー、記憶の使用を、このコマンドに限り許可',
  },
  completion: 'シェルの補完スクリプトを出力',
  completionShell: 'bash、zsh、fish のいずれか',
  examples: '例:',
  moreHelp: (tool: string): string => `各コマンドのヘルプ: ${tool} コマンド --help`,
  seeHelp: (command: string): string => `ヘルプ: ${command} --help`,
  noCommand: (command: string): string => `${command} にはコマンドが必要です`,
  wholeNumber: (min: number, max: number): string =>
    max === Number.MAX_SAFE_INTEGER
      ? `${min} 以上の整数を指定してください。`
      : `${min} から ${max} までの整数を指定してください。`,
  json: (problem: string): string => `JSONではありません: ${problem}`,
  time: '2026-01-31 や 2026-01-31T12:00:00+09:00 のような時刻を指定してください。',
  cannotRead: (path: string, why: string): string => `${set(path)}を読めません: ${why}`,
  notUtf8: (path: string): string => `${set(path)}はUTF-8ではありません`,
  standardInput: STANDARD_INPUT,
  inputEmpty: '標準入力が空です',
  dataIsFile: (path: string): string =>
    `--data にはフォルダーを指定してください: ${path} はファイルです`,
  queryEmpty: '検索する言葉がありません',
  nothingFound: '見つかりませんでした',
  inputTwice: '標準入力は一度しか読めません: - は一度だけ指定してください',
  notRun: (program: string, why: string): string => `${program} を実行できません: ${why}`,
  programFailed: (program: string, code: number | string): string =>
    `${program} が ${code} で終了しました`,
  erase: eraseJa,
  server: {
    port: 'ポート番号。0 で空いているものを使います',
    host: '待ち受けるアドレス。このマシン以外からの接続にはトークンが要ります',
    token: 'クライアントが Authorization: Bearer TOKEN として送る値（16文字以上）',
    allowHost: 'クライアントから見たこのサーバーの別名。複数指定できます',
    allowOrigin: '接続を許すWebページのオリジン。複数指定できます',
    listening: (url: string): string => `${url} で待ち受けています`,
    useToken: (token: string): string => `トークン: ${token}`,
  },
  giveOne: (names: string): string => `${names} のいずれかを指定してください`,
  onlyOne: (names: string): string => `${names} は同時に指定できません`,
  trust: {
    asks: (place: string): string => `${place} は次のことへの同意を求めています:`,
    question: '作成者を信頼し、今後も許可しますか？ [y/N]',
    asking: (address: string, source: string): string =>
      `${source} の指定により ${address} に接続します。提供元の標準の接続先ではありません`,
  },
};
