import type { ErrorCode } from '../../exit-codes.ts';
import type { FrameMessages } from './en.ts';

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
  erase: {
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
        `解釈できず、名前を含むか、写しの残るファイルを指すファイル ${found} 件: 修復するか削除してください`,
      config: () => '会話やワークフローの設定など、自分で書いたファイル',
      dbos: () =>
        'ワーカーが実行している場合、DBOSのテーブル: 実行の記録をそちらで削除してください',
      transcripts: () => 'エージェント自身が残すセッション記録（~/.claude/projects など）',
      'vector-server': () =>
        'Qdrantなどのサーバー上のベクトル（サーバーがセグメントを最適化するまで）',
    },
  },
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

/** Returns the meaning of a code, in Japanese; the message of the package follows in its own words. */
export function headlineJa(code: ErrorCode): string {
  return HEADLINES[code];
}

const HEADLINES: Readonly<Record<ErrorCode, string>> = {
  usage: '使い方が正しくありません',
  'input-unreadable': '入力を読めません',
  'not-found': '見つかりません',
  interrupted: '中断しました',
  'found-problems': '問題が見つかりました',
  failed: '失敗しました',
  'invalid-input': '入力が正しくありません',
  'invalid-text': '保存できない文字が含まれています',
  'too-large': '大きすぎます',
  'path-outside': 'パスがワークスペースの外に出ています',
  'path-invalid': '使えないパスまたは名前です',
  'query-invalid': '検索式を解釈できません',
  'config-invalid': '設定が正しくありません',
  'definition-invalid': '定義が正しくありません',
  'import-unreadable': '取り込めない形式です',
  'invalid-import': '取り込めない形式です',
  'file-invalid': 'ファイルが大きすぎるか、テキストではありません',
  'json-invalid': 'JSONが正しくありません',
  'invalid-key': '使えないキーまたは名前です',
  'outside-root': 'リンクが保存先の外に出ています',
  'not-text': 'テキストではありません',
  cycle: '循環ができてしまいます',
  'read-only': '読み取り専用です',
  untrusted: '同意が必要です',
  'trust-unwritable': '同意を記録できません',
  'project-not-found': 'プロジェクトが見つかりません',
  'node-not-found': 'ノードが見つかりません',
  'flow-not-found': 'フローが見つかりません',
  'session-not-found': 'セッションが見つかりません',
  'event-not-found': 'イベントが見つかりません',
  'conversation-not-found': '会話が見つかりません',
  'file-not-found': 'ファイルが見つかりません',
  exists: 'すでに存在します',
  'file-exists': 'ファイルがすでに存在します',
  locked: '他のプロセスが使用中です',
  'index-locked': '他のプロセスが索引に書き込み中です',
  conflict: '他で変更されました',
  'edit-conflict': '編集が衝突しました',
  'session-ended': 'セッションは終了しています',
  finished: 'すでに終わっています',
  'not-waiting': '回答を待っていません',
  busy: '使用中です',
  'lock-timeout': 'ロックを得られませんでした',
  'no-sqlite': 'SQLite を開くライブラリを使えません',
  'model-mismatch': '索引のベクトルは別のモデルのものです',
  'dimension-mismatch': 'ベクトルの次元が合いません',
  'node-invalid': 'ノードのファイルを解釈できません',
  'flow-invalid': 'フローのファイルを解釈できません',
  corrupt: 'データが壊れています',
  'index-corrupt': '索引が壊れています',
  'newer-schema': 'より新しい版で書かれています',
  'log-unreadable': 'ログを読めません',
  'peer-missing': '必要なパッケージがありません',
  connection: 'サーバーに接続できません',
  unavailable: '利用できません',
  refused: '拒否されました',
  network: 'ネットワークのエラーです',
  rate_limit: 'リクエストが多すぎます',
  quota: '利用枠を使い切りました',
  overloaded: 'サーバーが混み合っています',
  server: 'サーバーのエラーです',
  auth: 'APIキーがないか、正しくありません',
  permission: '許可されていません',
  not_found: 'モデルまたはアドレスが見つかりません',
  invalid_request: 'リクエストが拒否されました',
  context_length: '会話がモデルには長すぎます',
  content_filter: 'モデルが回答を拒みました',
  unsupported: '対応していません',
  truncated: '応答が途中で切れました',
  bad_response: '応答を解釈できません',
  output_parse: '応答が求めた形式ではありません',
  timeout: '時間切れです',
  'turn-failed': '発言を得られませんでした',
  aborted: '中断しました',
  cancelled: '取り消されました',
  closed: 'すでに閉じられています',
  misuse: '呼び出し方が正しくありません',
  constraint: 'データベースの制約に反しています',
  sql: 'データベースのエラーです',
  io: 'ファイルシステムのエラーです',
  'indexing-failed': '索引を作れませんでした',
  'search-failed': '検索に失敗しました',
  'dictionary-failed': '辞書を用意できません',
  'file-failed': 'ファイルを扱えません',
  'log-unwritable': 'ログに書き込めません',
  'journal-unwritable': '実行記録に書き込めません',
  'recorder-failed': '記録に失敗しました',
  'step-failed': 'ステップが失敗しました',
  'condition-failed': '条件を評価できません',
  'template-failed': 'テンプレートを展開できません',
  'unusable-answer': 'モデルの答えが空か、途中で切れています',
  exhausted: '繰り返しの回数を使い切りました',
  limit: '上限に達しました',
};
