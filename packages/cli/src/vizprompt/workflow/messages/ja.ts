import type { WorkflowMessages } from './workflow-messages.ts';

/** The summaries of the commands of workflows, in Japanese. */
export const workflowSummariesJa: Readonly<Record<string, string>> = {
  workflow: 'ワークフロー: ファイルに書かれたエージェントの協調',
  'workflow run': 'ワークフローを実行',
  'workflow resume': '中断、失敗、待機している実行を続ける',
  'workflow answer': '実行からの質問に答える（どのプロセスが進めていても）',
  'workflow list': '実行の一覧',
  'workflow show': '実行のステップと、人への質問を表示',
  'workflow lint': '実行の前にファイルの誤りを見つける',
  'workflow dry-run': '実行で送るものと費用を表示。モデルは呼びません',
  'workflow worker': '他が --url で始めた実行を、何台ででも進める',
  'workflow draw': 'ワークフローやその実行をMermaidの図にする',
};

/** The texts of the commands for workflows, in Japanese. */
export const workflowJa: WorkflowMessages = {
  workflow: 'ワークフローの名前',
  anyWorkflow: 'ワークフローの名前（既定: ただ一つのもの）',
  text: 'テキストの入力。- で標準入力から読みます',
  input: 'JSONの入力。- で標準入力から読みます',
  inputFile: 'JSONの入力のファイル',
  file: 'ワークフロー、役割、プロンプトのYAMLかJSON。繰り返し可（既定: 上へたどって最初の config/workflow_config と prompts/default_prompts）',
  files: 'YAMLかJSON（既定: 上へたどって最初の config/workflow_config と prompts/default_prompts）',
  prompts: '名前=ファイル: 別のプロンプトセット。繰り返し可',
  promptSet: '使うプロンプトセット',
  module:
    'ステップのための functions、tools、retrievers、activities、models、middleware を公開するJavaScriptモジュール',
  model: 'モデルを指定しない役割のモデル: プロバイダー:モデル（例: ollama:qwen3:8b）',
  prices: '米ドルの価格のJSON: {"モデル": {"inputPerMillion", "outputPerMillion"}}',
  id: '実行のID（既定: 新しいもの）',
  run: '実行のID',
  newestRun: '実行のID（既定: 終わっていない最新のもの）',
  answer: 'ステップ=値: 人への質問の答え（JSONかテキスト）。繰り返し可',
  step: '人に尋ねるステップのIDかパス',
  value: '答え（JSONかテキスト）。- で標準入力から読みます',
  notAsked: (step: string): string => `'${step}' では誰も尋ねられていません`,
  tokens: '実行が使う最大のトークン数',
  costUsd: '実行が使う最大の米ドル。--prices が必要',
  record: '実行をプロジェクトのフローとして残す',
  quiet: '出力だけを表示',
  status: 'この状態の実行だけ',
  limit: '最大の件数（既定: 100）',
  after: '前の一覧の最後の実行のID',
  strict: '警告も誤りとする',
  outputTokens: 'ファイルにないときの、答えの最大トークン数（既定: 1000）',
  drawRun: '実行のID: 各ステップの結果も描く',
  url: 'ステップを実行するワーカーのPostgreSQL（既定: ここで実行）',
  namespace: 'データベースのどの実行か（既定: vizprompt_workflow）',
  runs: '同時の実行の数（既定: 200）',
  concurrency: 'プロバイダー=数: 全ワーカー合わせて同時の呼び出し。繰り返し可',
  leaseMs: '応答がなくなってから他が引き継ぐまでのミリ秒（既定: 15000）',
  pollMs: '実行を探す間隔のミリ秒（既定: 100）',
  working: '動いています。Ctrl+C で終わります',
  noFiles:
    'どのワークフローですか。--file を指定するか、config/workflow_config.json を作ってください',
  noRuns: (folder: string): string => `${folder} に実行がありません`,
  noUnfinished: (folder: string): string => `${folder} に続けられる実行がありません`,
  notAmount: '0より大きい数にしてください。',
  notPair: (value: string, what: string): string => `'${value}' は ${what} の形ではありません`,
  notJson: (where: string, why: string): string => `${where} はJSONではありません: ${why}`,
  noModule: (file: string, why: string): string => `${file} を読み込めません: ${why}`,
  oneWorkflow: (names: readonly string[]): string =>
    `どのワークフローですか: ${names.join(', ') || 'ありません'}`,
  replayed: '済み',
  skipped: '飛ばしました',
  retried: (attempt: number, seconds: number, why: string): string =>
    `${seconds} 秒後に ${attempt} 回目: ${why}`,
  fellBack: (from: string, to: string, why: string): string => `${from} の代わりに ${to}: ${why}`,
  asks: (path: string): string => `${path} からの質問:`,
  answered: '答えました',
  unusable: (why: string): string => `答えになりません: ${why}`,
  waitsThere: (id: string, path: string): string =>
    `人の答えを待っています: vizprompt workflow answer ${id} '${path}' 値`,
  waits: (id: string, path: string): string =>
    `人の答えを待っています: vizprompt workflow resume ${id} --answer '${path}=...'`,
  goesOnWith: (id: string): string => `続けるには: vizprompt workflow resume ${id}`,
  problems: (errors: number, warnings: number): string => `誤り ${errors}、警告 ${warnings}`,
  needsPrices: '--cost-usd には、モデルの価格が必要です: --prices ファイル を指定してください',
  clean: '誤りはありません',
  totals: (calls: string, inputTokens: string, outputTokens: string, costUsd: string): string =>
    `呼び出し ${calls}、入力 ${inputTokens} トークン、出力 ${outputTokens} トークン、${costUsd} 米ドル`,
  unpriced: (models: string): string => `価格がないもの: ${models}`,
  withoutModel: (roles: string): string =>
    `モデルの指定がなく、費用に含まれていない役割(--model で指定できます): ${roles}`,
  unbounded: (steps: string): string => `1回と数えたが、limits でしか終わらないもの: ${steps}`,
  unrendered: (prompts: number): string => `作れないプロンプトが ${prompts} 件あります`,
};
