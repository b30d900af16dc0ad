import { workflowJa, workflowSummariesJa } from '../workflow/messages/ja.ts';
import type { VizpromptMessages } from './vizprompt-messages.ts';

/** What vizprompt says, in Japanese. */
export const vizpromptJa: VizpromptMessages = {
  about: 'モデルとの会話を、ただのファイルの上のグラフとして扱います。',
  data: 'プロジェクトのフォルダー（既定: 上へたどって最初に見つかるもの）',
  summaries: {
    ...workflowSummariesJa,
    init: 'プロジェクトを作成、またはgitで共有できるように設定',
    'create-node': 'プロンプトと応答からノードを作成',
    'get-node': 'ノードを表示',
    'update-node': 'ノードを変更',
    'delete-node': 'ノードを削除',
    search: '語、タグ、キーワードでノードを検索',
    flow: 'フロー: ノードのつながり',
    'flow list': 'フローの一覧',
    'flow show': 'フローの分岐を表示',
    'flow create': 'フローを作成',
    'flow connect': '二つのノードを接続',
    'flow branch': '新しいノードで分岐を開始',
    'flow rebuild': 'フローを、指定したノードの一本の線に組み直す',
    import: 'ChatGPT、Claude、Open WebUIなどの会話を取り込み',
    build: '要約、タグ、キーワードと、その索引を作成',
    context: 'プロンプトとともにモデルに伝える文脈を作成',
    chat: 'モデルと対話し、記録する',
    export: 'フローを別の形式で書き出し',
    check: 'すべてのファイルを照合し、問題を一覧',
    repair: 'checkが見つけた問題を修復（発言は削除しません）',
    undo: '最後の編集を取り消し',
    redo: '取り消した編集をやり直し',
    serve: 'WebSocketサーバーを起動',
    trust: '外から来たフォルダーやファイルが求めることに同意',
    'git-merge': 'gitから呼ばれるマージドライバーとして、ファイルの二つの版をマージ',
  },
  args: {
    folder: 'フォルダー（既定: --data、なければ現在のフォルダー）',
    node: 'ノードのID、またはフローの中の番号',
    text: '--text と同じ',
    flow: 'フローのID、別名、または名前（既定: main）',
    flowName: 'フローの名前',
    from: '先に来るノードのIDまたは番号',
    to: '後に続くノードのIDまたは番号',
    branchFrom: '分岐の元になるノードのIDまたは番号',
    nodes: 'ノードのIDまたは番号（並べる順）',
    outdated: '作り直すノード（既定: 変更されたものすべて）',
    source: 'ファイル、zip、またはフォルダー。- で標準入力から読みます',
    kind: 'ファイルの種類',
    base: '両側の元になった版',
    ours: 'こちら側の版。結果もここに書きます',
    theirs: '相手側の版',
    path: 'リポジトリの中でのファイルの場所',
  },
  options: {
    git: 'gitで共有できるように設定し、マージドライバーを登録（クローンごとに一度）',
    prompt: 'プロンプト。- で標準入力から読みます',
    promptFile: 'プロンプトのファイル。- で標準入力から読みます',
    response: '応答。- で標準入力から読みます',
    responseFile: '応答のファイル。- で標準入力から読みます',
    flow: 'フロー（ID、別名、または名前。既定: ノードが属する唯一のフロー、なければ main）',
    noFlow: 'どのフローにも入れない',
    after: '続きとなる元のノード（IDまたは番号。既定: フローの先頭位置）',
    root: 'どのノードの続きにもしない',
    branchName: 'そこから始まる分岐の名前',
    nodeTags: 'タグ（コンマ区切り）',
    nodeModel: '応答したモデル',
    versions: '同じIDをもつすべてのファイルのノード（新しい順）',
    summary: '要約',
    ifVersion: 'ファイルがまだこの版のときだけ変更',
    noJoin: '前後のノードをつながない',
    tags: 'これらのタグをすべてもつノード（コンマ区切り）',
    keywords: 'これらのキーワードをすべてもつノード（コンマ区切り）',
    text: '探す語（よく合う順）。"…" はそのままの並びで。- で標準入力から読みます',
    answeredBy: 'このモデルが応答したノード',
    since: 'この時刻以降のノード',
    before: 'この時刻より前のノード',
    limit: '最大の件数（既定: 20）',
    alias: '短い名前',
    description: '説明',
    importFormat: '取り込む形式（既定: 自動で判別）',
    buildModel:
      'このモデルに尋ねる（provider:name。名前を省くと config.yaml のもの。既定: モデルを使わず本文から作成）',
    model: 'モデル（provider:name、例 ollama:qwen3。既定: config.yaml のもの）',
    serveModel:
      'クライアントが使えるモデル（provider:name）。名前を省くと config.yaml のもの（既定: なし）',
    baseUrl: '--model のサーバーのアドレス',
    concurrency: '同時にモデルを呼ぶ数（既定: 4）',
    node: 'プロンプトが続くノード（既定: フローの先頭位置）',
    instructions: 'モデルに最初に伝えること（役割や答え方）。- で標準入力から読みます',
    instructionsFile: 'その指示のファイル。- で標準入力から読みます',
    budget: '最大トークン数（既定: 8000）',
    references: '全文で参照する、別の分岐のノード（コンマ区切り）',
    pin: '必ず全文で入れ、途中を省かないノード',
    exclude: '入れないノード',
    report: '各ノードがどの形で入り、何トークンかを標準エラーに表示',
    chatPrompt: '一度だけ尋ねて終わる。- で標準入力から読みます',
    from: '続きを始めるノード（既定: フローの先頭位置）',
    reasoning: 'モデルの思考を表示',
    exportFormat: '形式（既定: markdown）',
    output: '書き出すファイル（既定: 標準出力）',
    leaf: 'openai のとき: 線の終わりのノード（既定: フローの先頭位置）',
    noAttachments: 'json のとき: ファイルを含めず、名前だけを書く',
    dryRun: '何をするかを表示するだけにする',
    keepMissing: 'ファイルがないノードを、戻るかもしれないのでフローに残す',
    batch: '取り分けられた、自分のものであるこの一括変更を適用',
    path: 'アドレスのパス（既定: /）',
  },
  labels: {
    id: 'ID',
    time: '時刻',
    model: 'モデル',
    speaker: '話者',
    status: '状態',
    tags: 'タグ',
    summary: '要約',
    outdated: '未更新',
    file: 'ファイル',
    prompt: 'プロンプト',
    response: '応答',
  },
  workflow: workflowJa,
  chat: {
    welcome: (model: string, flow: string): string =>
      `${model}、フロー「${flow}」。/help でコマンド一覧、Ctrl+C で回答を中断、Ctrl+D で終了します。`,
    help: `/retry                同じことをもう一度尋ねる（最後の回答の隣の分岐になります）
/edit 文              代わりに別のことを尋ねる
/continue             途中で切れた回答の続きを求める
/branch ノード [名前] 別のノードから続ける（ツリーの番号またはID）
/tree                 分岐を表示
/help                 この一覧を表示
/exit                 終了（Ctrl+D と同じ）
行末の \\ で次の行に続きます。/ で始まる文は //… と書くと送れます。`,
    stopped: '[中断しました。届いた分は残っています]',
    asksDetail: (ids: string): string => `[モデルが ${ids} を全文で読みます]`,
    usage: (node: string, input: number, output: number): string =>
      `[${node}: ${input} + ${output} トークン]`,
    ended: (reason: string): string =>
      `[回答が途中で終わりました: ${reason}。/continue で続きを求めます]`,
    onceMore: 'もう一度 Ctrl+C、または Ctrl+D で終了します。',
    noCommand: (word: string): string =>
      `${word} というコマンドはありません。/help で一覧、//… で / から始まる文を送れます`,
    nothingYet: 'まだ何も話していません',
    needsText: '/edit には文が必要です: /edit 文',
    needsNode: '/branch にはノードが必要です: /branch ノード [名前]。/tree で番号がわかります',
    goesOn: (node: string, title: string): string => `[次の発言は ${node} から続きます: ${title}]`,
  },

  noProject: (folder: string): string =>
    `${folder} にプロジェクトがありません: vizprompt init で作成します`,
  cannotWrite: (folder: string): string => `プロジェクトに書き込めません: ${folder}`,
  noProjectUpwards: (folder: string): string =>
    `${folder} とその上のフォルダーにプロジェクトがありません: vizprompt init で作成するか、--data で指定します`,
  noNumber: (number: string, flow: string): string =>
    `フロー「${flow}」に番号 ${number} のノードがありません: vizprompt flow show`,
  noModel:
    'config.yaml にモデルの指定（default_llm_provider、default_model）がありません: --model provider:name を指定してください',
  needsModel: '--base-url には、名前のついた --model が必要です',
  nothingGiven: (options: string): string => `変更する内容がありません: ${options} のどれか`,
  problem: (place: string, message: string): string => `${place}: ${message}`,

  made: (folder: string): string => `プロジェクトを設定しました: ${folder}`,
  unchanged: (folder: string): string => `プロジェクトはすでに設定されています: ${folder}`,
  wrote: (file: string): string => `${file} を書きました`,
  mergeDriver: {
    registered: 'gitが意味に基づいてマージします。書かれたファイルをコミットしてください。',
    'no-repository': 'gitのリポジトリの中にありません: git init の後に、もう一度実行してください。',
    'no-git': 'この環境にgitがありません: 入れた後に、もう一度実行してください。',
  },
  created: (id: string): string => `ノードを作成しました: ${id}`,
  updated: (id: string): string => `ノードを変更しました: ${id}`,
  deleted: (id: string): string => `ノードを削除しました: ${id}（vizprompt undo で戻せます）`,
  flowHead: (name: string, id: string, nodes: number, connections: number): string =>
    `${name}（${id}）: ノード ${nodes}、接続 ${connections}`,
  flowLine: (id: string, nodes: number, name: string): string => `${id}  ノード ${nodes}  ${name}`,
  flowCreated: (name: string, id: string): string => `フローを作成しました: ${id}（${name}）`,
  connected: (from: string, to: string, flow: string): string =>
    `フロー「${flow}」で ${from} → ${to} を接続しました`,
  rebuilt: (flow: string, nodes: number): string =>
    `フロー「${flow}」を ${nodes} ノードの一本の線にしました（vizprompt undo で戻せます）`,
  imported: (conversations: number, updated: number, unchanged: number): string =>
    `会話: 新規 ${conversations}、更新 ${updated}、変更なし ${unchanged}`,
  importedNodes: (created: number, updated: number, unchanged: number): string =>
    `ノード: 新規 ${created}、更新 ${updated}、変更なし ${unchanged}`,
  skipped: (entry: string, reason: string): string => `取り込めません: ${entry}: ${reason}`,
  warned: (entry: string, reason: string): string => `注意: ${entry}: ${reason}`,
  importing: '取り込み中',
  building: '作成中',
  built: (nodes: number, postponed: number): string =>
    postponed === 0
      ? `${nodes} ノードを処理しました`
      : `${nodes} ノードを処理しました。${postponed} ノードはその間に変更され、次の build を待ちます`,
  buildFailed: (nodes: number): string => `${nodes} ノードの要約を作れませんでした`,
  contextTokens: (tokens: number, budget: number, everything: number): string =>
    `${budget} トークン中 ${tokens}（すべて全文なら ${everything}）`,
  checking: '確認中',
  opening: 'ファイルを読み込み中',
  healthy: (nodes: number, flows: number): string =>
    `ノード ${nodes}、フロー ${flows}: 問題はありません`,
  found: (findings: number): string =>
    `${findings} か所に問題があります: vizprompt repair で直せるものを直します`,
  repaired: (findings: number): string => `修復しました: ${findings}`,
  setAside: (from: string, to: string): string => `元の ${from} は ${to} にあります`,
  notRepaired: (findings: number): string => `${findings} 件が残っています`,
  nothingToRepair: '修復するものはありません。',
  conflictLeft: (file: string): string => `${file} に、手で解決すべき競合があります`,
  undone: (label: string): string => `取り消しました: ${label}`,
  redone: (label: string): string => `やり直しました: ${label}`,
  nothingToUndo: '取り消すものはありません。',
  nothingToRedo: 'やり直すものはありません。',
  trust: {
    path: 'プロジェクト、会話の設定ファイル、または記憶のあるフォルダー（既定: --data、または現在のフォルダー）',
    list: '同意したものをすべて表示',
    revoke: '同意を取り消す',
    nothing: '同意したものはありません。',
    asksNothing: (place: string): string => `${place} は同意を必要としません。`,
    trusted: (place: string): string => `信頼しました: ${place}`,
    revoked: (place: string): string => `信頼を取り消しました: ${place}`,
    notTrusted: (place: string): string =>
      `${place} は信頼されていません。vizprompt trust --list で確認できます`,
  },
};
