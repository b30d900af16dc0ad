import type { DialogoiMessages } from './en.ts';

/** The texts of dialogoi in Japanese. */
export const dialogoiJa: DialogoiMessages = {
  about: '小説と設定資料の検索。日本語が第一です。',
  data: 'config/dialogoi.config.json のあるフォルダー（既定: 上へたどって最初に見つかるもの）',
  summaries: {
    projects: 'プロジェクトの一覧',
    files: 'プロジェクトのファイルの一覧',
    index: '索引を作る。--watch で最新に保ち続ける',
    search: 'プロジェクトを検索',
    get: 'ファイル全体、その一部の行、または領域の全ファイルを表示',
    add: 'プロジェクトにファイルを書く',
    eval: '答えのわかっている質問で、検索の良さを測る',
    dictionary: '日本語の辞書をコンパイルし、配布できるファイルにする',
    thesaurus: '似た意味の語の一覧をコンパイルする（本文と違う言葉での質問のために）',
    mcp: 'プロジェクトをモデルに提供: 標準入出力かHTTPのMCP',
  },
  settings: {
    'project-root': 'プロジェクトを置くフォルダー（既定: novels）',
    backend: 'files、または複数のマシンで索引を共有する postgres（既定: files）',
    database: '共有するPostgreSQL。他から見えない DIALOGOI_DATABASE を勧めます',
    'max-tokens': 'チャンクの最大トークン数（既定: 400）',
    overlap: '前のチャンクから繰り返す割合、0〜0.5（既定: 0.2）',
    chapters: '.txt の「第一章」などの行を見出しとするか（既定: true）',
    'default-k': '検索結果の件数（既定: 10）',
    'max-k': '検索結果の件数の上限（既定: 50）',
    romaji: 'ローマ字でも探すか（toudai で「灯台」。既定: false）',
    'log-file': '起きたことを JSON の行で書き足すファイル（.log で終わる）',
    'log-level': '書く最低の段階: debug、info（既定）、warn、error',
    thesaurus: 'dialogoi thesaurus が書いたファイル（既定：なし）',
    'flex-profile': 'memory なら、別のプロセスを使わず少ないメモリーで索引を作ります（既定: fast）',
    vector: '"none" でベクトルなしの検索',
    'vector-enabled': '設定にあるベクトルを使うかどうか',
    'vector-provider': 'qdrant または none',
    'qdrant-url': '例: http://localhost:6333',
    'qdrant-api-key': 'Qdrantのキー。他から見えない DIALOGOI_QDRANT_API_KEY を勧めます',
    'qdrant-collection': 'ベクトルのコレクション',
    'embedding-model': 'プロバイダー:モデル（例: ollama:bge-m3）',
    'embedding-dimensions': 'ベクトルの次元数',
    'vector-gate':
      '語だけで答えるのに必要な、質問のうち本文にある割合（0〜1）。1 ならベクトルを常に使う',
    'vector-weight': '語を 1 としたときのベクトルの重み',
  },
  project: 'プロジェクト（既定: 現在のフォルダーのもの、またはただ一つのもの）',
  projects: 'プロジェクト（既定: すべて）',
  place: 'settings、contents、instructions のいずれか（既定: すべて）',
  path: 'settings/…、contents/…、DIALOGOI.md のいずれか。領域の名前だけなら、その全ファイル',
  offset: '飛ばす件数',
  limit: '最大の件数',
  severalProjects: (ids: readonly string[]): string =>
    `プロジェクトが複数あります。--project で選んでください: ${ids.join(', ')}`,
  noProjects: (root: string): string =>
    `${root} にプロジェクトがありません（その中の各フォルダーがプロジェクトです）`,
  notAPlace: (path: string): string =>
    `'${path}' はどの領域にもありません。settings/ か contents/ で始めるか、DIALOGOI.md としてください`,
  more: (nextOffset: number): string => `続きがあります: --offset ${nextOffset}`,
  degraded: (why: string): string => `語だけで検索しました: ${why}`,
  weak: (agreed: number, questions: number): string =>
    `語で最初に見つかる箇所をベクトルも最初に見つけたのは ${questions} 問のうち ${agreed} 問で、検索が悪くなります。` +
    'dialogoi eval で確かめてください',
  queued: (chunks: number, why: string): string =>
    `${chunks} 個のチャンクがベクトルを待っています: ${why}`,
  index: {
    watch: '終わらずに、Ctrl+C までファイルの変更に追従する',
    polling: '通知を待たずに変更を調べる（ネットワークドライブ用）',
    done: (project: string, { indexed, removed, unchanged, failed }): string =>
      `${project}: 索引 ${indexed}、削除 ${removed}、変更なし ${unchanged}、失敗 ${failed}`,
    failed: (files: number): string => `${files} 個のファイルを索引にできませんでした`,
    watching: '監視しています。Ctrl+C で終わります',
    indexed: (file: string): string => `索引に入れました: ${file}`,
    removed: (file: string): string => `索引から除きました: ${file}`,
  },
  search: {
    query: '検索する言葉。- で標準入力から読みます',
    area: 'この領域だけ',
    files: 'パス、/ で終わるフォルダー、グロブのどれか',
    tags: 'すべての結果が持つタグ',
    limit: '件数（既定: 設定による。10）',
    before: '各結果の前のチャンクもこの数だけ',
    after: '各結果の後のチャンクもこの数だけ',
    explain: '各スコアの内訳',
    all: 'すべての結果を見つかった順に書く。--json では一つの配列',
    incomplete: '索引を更新できませんでした。新しい文章は見つからないことがあります',
    found: (shown: number, total: number): string => `${total} 件中 ${shown} 件`,
  },
  get: {
    startLine: 'この行から（1から数える）',
    endLine: 'この行まで（その行を含む）',
    startColumn: '最初の行のこの文字から（1から数える）',
    endColumn: '最後の行（--end-line）のこの文字まで',
    maxCharacters: '最大の文字数（既定: すべて）',
    goesOn: (path: string, line: number, column: number | undefined): string => {
      const place = column === undefined ? '' : ` --start-column ${column}`;
      return `${path} には続きがあります: --start-line ${line}${place}`;
    },
  },
  add: {
    file: 'settings/… または contents/…（.md か .txt で終わる）',
    content: '本文。- で標準入力から読みます',
    contentFile: '本文のファイル',
    overwrite: 'すでにあるファイルを置き換える',
    written: (path: string, isNew: boolean): string =>
      `${path} を${isNew ? '作りました' : '置き換えました'}`,
  },
  dictionary: {
    out: 'ファイル。使う側では VIZPROMPT_DICTIONARY で指定する',
    written: (file: string): string =>
      `${file} を使えます。VIZPROMPT_DICTIONARY にそのパスを設定してください`,
    compiling: '辞書（最初の一度だけ）',
  },
  thesaurus: {
    source:
      'sudachi なら SudachiDict の同義語（Apache-2.0）をダウンロードする。ほかにアドレスかファイル、- で標準入力',
    out: 'ファイル。設定 thesaurus で指定する',
    notice: '一覧の作者とライセンス。ファイルに残される',
    noNotice: '一覧の作者とライセンスを --notice で指定してください',
    cannotLoad: (address: string, why: string): string =>
      `${address} をダウンロードできません: ${why}`,
    written: (file: string, { groups, words }): string =>
      `${file} を使えます（${groups} 組、${words} 語）。"thesaurus" か DIALOGOI_THESAURUS にそのパスを設定してください`,
  },
  eval: {
    questions:
      'JSONの配列、または各行に一つ: {"question", "relevant": [パスかチャンクのID], "group"?}。- で標準入力',
    k: '見る結果の件数（既定: 10）',
    notQuestions: (place: string, why: string): string => `${place}: ${why}`,
    notOne:
      '{"question": 文, "relevant": [パスまたはチャンクIDを1つ以上], "group"?: 文} の形で書いてください',
    noQuestions: '質問がありません',
  },
  mcp: {
    http: '標準入出力の代わりに streamable HTTP',
    path: 'パス（既定: /mcp）',
  },
};
