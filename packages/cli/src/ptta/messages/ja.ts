import type { PttaMessages } from './ptta-messages.ts';

/** What ptta says, in Japanese. */
export const pttaJa: PttaMessages = {
  about: 'AIのための外部記憶装置です。',
  data: '記憶のフォルダー（既定: 上へたどって最初の .ptta、なければ ~/.ptta）',
  summaries: {
    'session:start': 'セッションを開始',
    'session:end': 'セッションを終了',
    'session:list': 'セッションの一覧（新しい順）',
    'session:show': 'セッションと、その中の出来事を表示',
    'session:current': '実行中のセッションを表示',
    'log:user': 'ユーザーの発言を記録',
    'log:assistant': 'アシスタントの返答を記録',
    'log:thinking': '思考の内容を記録',
    'log:intention': 'コード変更の意図を記録（編集前）',
    'log:edit': 'ファイルの編集を記録（編集後）',
    'log:tool': 'ツールの使用を記録',
    history: 'セッションの履歴をタイムラインで表示',
    'file:history': 'ファイルの変更履歴とその理由を表示',
    search: '記録のすべてを全文検索',
    stats: '統計情報を表示',
    export: 'JSON、または読むためのHTMLで書き出し',
    'export:file': 'ファイルに関する出来事を書き出し',
    edit: '意図の記録、エディタの起動、編集の記録を一度に行う',
    'edit:record': '意図を記録し、コマンドを実行し、編集を記録',
    import: 'エージェントの記録、または書き出したものを取り込み',
    hook: 'Claude Codeのフックの呼び出しを標準入力から受け取る',
    'hooks:install': 'Claude Codeの設定にフックを追加',
    recall: '新しいセッションが知るべきことを、トークンの予算内で出力',
    backup: '記憶の複製を作成（他が書き込み中でも可）',
    check: '記憶が壊れていないか検査',
    forget: 'イベントの内容を消去',
    erase: '人やエージェントの発言を消去',
    redact: '保存済みの記録から秘密を取り除く',
    web: 'ブラウザで読むタイムラインとREST APIを提供',
    serve: 'REST APIとイベントの配信を提供',
    mcp: '標準入出力でMCPを提供',
  },
  session: 'セッションのID（既定: このフォルダーか、その上のフォルダーで実行中のもの）',
  sessionId: 'セッションのID',
  sessionToRead: 'セッションのID（既定: このフォルダーで実行中、または最新のもの）',
  workspace: 'フォルダー（既定: gitリポジトリ、なければ現在のフォルダー）',
  currentWorkspace: 'フォルダー。その上のフォルダーも対象です（既定: 現在のフォルダー）',
  fileWorkspace: '相対パスの起点（既定: 現在のフォルダー）',
  importWorkspace: 'すべてのセッションのワークスペース（既定: 記録に書かれたもの）',
  webWorkspace: 'タイムラインを表示するフォルダー（既定: すべて）',
  branch: 'セッションに記録するgitのブランチ',
  message: '本文。- で標準入力から読みます',
  context: '何について考えているか',
  parent: '原因となったイベントのID',
  file: 'ファイルのパス',
  reason: '変更する理由',
  action: '行ったこと',
  intendedAction: '行おうとすること（既定: edit、ファイルがなければ create）',
  editError: '編集が失敗した理由。なければ成功とします',
  tool: 'ツールの名前。Bash、Read、Grep など',
  params: 'パラメータ（JSON）。- で標準入力から読みます',
  result: '実行結果（JSON）。- で標準入力から読みます',
  duration: '実行時間（ミリ秒）',
  toolFailed: 'ツールが失敗した',
  lastEvents: '新しい方からの件数（既定: すべて）',
  type: 'この種類のイベントだけ',
  query: '検索語。二重引用符で囲むとそのままの文字列を探します',
  exportFormat: 'json は再び取り込め、html は読むためのものです',
  output: 'ファイル（既定: 標準出力）',
  editor: 'エディタ（既定: $VISUAL、$EDITOR、vi の順）',
  editCommand: 'ファイルを変更するコマンド。-- の後に書きます',
  importPaths:
    '記録のファイル、そのフォルダー、または書き出したもの。- で標準入力から読みます（既定: 各エージェントの保存場所）',
  agent: '記録したエージェント（既定: ファイルごとに判定）',
  closed: '記録はもう増えない: セッションを終了とします',
  settingsFile: 'Claude Codeの設定ファイル（既定: ~/.claude/settings.json）',
  projectSettings: 'このプロジェクトの設定: .claude/settings.json',
  hookCommand: 'Claude Codeが実行するコマンド（既定: ptta hook）',
  removeHooks: 'フックを取り除く',
  recallQuery: '作業の内容。- で標準入力から読みます',
  recallFile: '作業中のファイル',
  budget: '出力の最大トークン数',
  backupFile: '複製の名前。まだ存在しないもの',
  checkFile: '壊れているかもしれないファイル。複製など（既定: 記憶）',
  forgetEvents: 'イベントのID',
  forgetSession: 'このセッションのすべてのイベント',
  vacuum: '不要になりました。指定しなくても内容は何も残りません',
  redactDryRun: '数えるだけで、何も変更しない',
  redacting: '秘密を取り除いています',
  redacted: (secrets: number, events: number, contents: number, sessions: number): string =>
    `秘密を ${secrets} 件取り除きました（イベント ${events} 件、ファイルの内容と差分 ${contents} 件、セッション ${sessions} 件）。以前のバックアップと書き出したものには残っています`,
  wouldRedact: (secrets: number, events: number, contents: number, sessions: number): string =>
    `秘密が ${secrets} 件あります（イベント ${events} 件、ファイルの内容と差分 ${contents} 件、セッション ${sessions} 件）。何も変更していません`,
  sessionStarted: (id: string, workspace: string): string =>
    `${workspace} でセッション ${id} を開始しました`,
  sessionEnded: (id: string, events: number): string =>
    `セッション ${id} を終了しました（イベント ${events} 件）`,
  logged: (sequence: number, type: string, id: string): string => `#${sequence} ${type} ${id}`,
  withoutText: (path: string): string =>
    `本文なしで記録しました: ${path} がないか、大きすぎるか、テキストではありません`,
  eventCount: (count: number): string => `${count} 件`,
  running: '実行中',
  endedAt: (time: string): string => `終了 ${time}`,
  onlyIntended: '意図のみ',
  unchanged: 'ファイルは変わっていません',
  stats: {
    sessions: 'セッション',
    ofWhichRun: (sessions: number, running: number): string => `${sessions}（実行中 ${running}）`,
    events: 'イベント',
    files: 'ファイル',
    redactions: '取り除いた秘密',
    bytes: 'バイト数',
    first: '最初のイベント',
    last: '最後のイベント',
  },
  exporting: '書き出し中',
  checking: '検査中',
  written: (path: string): string => `${path} に書き込みました`,
  notExported: (records: number, problem: string): string =>
    `破損した記録 ${records} 件を書き出せませんでした（${problem}）。ptta check で一覧できます`,
  importedExport: (path: string, added: number, known: number): string =>
    `${path}: ${added} 件を追加、${known} 件は既知`,
  importedTranscripts: (path: string, files: number, added: number, known: number): string =>
    `${path}: ${files} ファイル、${added} 件を追加、${known} 件は既知`,
  skippedFile: (file: string, reason: string): string => `${file} をとばしました: ${reason}`,
  unreadableLines: (file: string, lines: number, first: number): string =>
    `${file} の ${lines} 行を読めませんでした。最初の行: ${file}:${first}`,
  tornLine: (file: string, line: number): string =>
    `最後の行はまだ途中です。次の取り込みで読みます: ${file}:${line}`,
  refusedEvent: (file: string, message: string): string =>
    `${file} のイベントを保存できません: ${message}`,
  hooksInstalled: (hooks: string, file: string): string =>
    hooks === '' ? `フックはすでに ${file} にあります` : `${file} に追加しました: ${hooks}`,
  hooksRemoved: (hooks: string, file: string): string =>
    hooks === '' ? `${file} にフックはありません` : `${file} から取り除きました: ${hooks}`,
  checked: (sessions: number, events: number, contents: number): string =>
    `セッション ${sessions} 件、イベント ${events} 件、ファイルの内容 ${contents} 件を読めます`,
  forgotten: (ids: string): string => `${ids} を消去しました`,
  ownMemory: (folder: string, own: string, why: string): string =>
    `${folder} の代わりに ${own} を使います: ${why}`,
  settingsOutside: (file: string): string =>
    `${file} はリンクによってこのフォルダーの外を指しています。その設定でよければ --settings で指定してください`,
  memoryProblems: {
    link: (folder: string): string =>
      `${folder} の記憶は使えません。通常のフォルダーとファイルではありません。自分の記憶を使うには --data ~/.ptta を指定してください`,
    owner: (folder: string): string =>
      `${folder} の記憶は使えません。別のユーザーが作ったものです。自分の記憶を使うには --data ~/.ptta を指定してください`,
    tracked: (folder: string): string =>
      `${folder} の記憶は使えません。gitの管理下にあり、記録した内容が公開されてしまいます。` +
      `そこで git rm --cached ptta.db を実行するか、自分の記憶を使うには --data ~/.ptta を指定してください`,
  },
  noMemory: (folder: string): string => `${folder} に記憶がありません（ptta.db がありません）`,
  noCurrentSession: (workspace: string): string =>
    `${workspace} とその上のフォルダーで実行中のセッションがありません: ptta session:start`,
  noSession: (workspace: string): string =>
    `${workspace} とその上のフォルダーのセッションがありません: ptta session:start`,
  noTranscripts:
    'いつもの場所にエージェントの記録がありません: ファイルかフォルダーを指定してください',
  problems: (count: number): string => `${count} 件の問題`,
  forgetOne: 'イベントのID、または --session を指定してください',
};
