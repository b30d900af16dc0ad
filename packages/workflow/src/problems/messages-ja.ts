import type { Messages } from './problem.ts';

const meant = (name: string): string => `「${name}」の間違いではありませんか`;
const thereIs = (names: string): string => `使えるもの: ${names}`;
const thereIsNone = '一つもありません';

const or = 'か';

const terms: Messages['terms'] = {
  string: '文字列',
  number: '数',
  int: '整数',
  boolean: '真偽値',
  bool: '真偽値',
  object: 'オブジェクト',
  record: 'オブジェクト',
  map: 'オブジェクト',
  array: 'リスト',
  list: 'リスト',
  double: '数',
  null: '空',
  undefined: '空',
  workflow: 'ワークフロー',
  role: '役割',
  prompt: 'プロンプト',
  promptSet: 'プロンプトセット',
  schedule: 'スケジュール',
  webhook: 'Webhook',
  server: 'サーバー',
  retry: 'use.retries の名前',
  timeout: 'use.timeouts の名前',
  model: 'use.models の名前',
  variableRule: '空白、点、角括弧は使えません',
  nameRule: '英数字、点、ハイフン、_ を100文字まで使えます',
  idRule: '空白、/、# は使えません',
};

const sentences: Messages['sentences'] = {
  unreadable: ['読み込めません: {problem}'],
  syntax: ['構文を読み取れません: {problem}'],
  'unknown-key': ['ここに「{name}」というキーはありません'],
  'version-key': [
    '「{name}」はバージョン1にはありません',
    'version を消すか、version: 2 と書いてください',
  ],
  'missing-key': ['「{name}」がありません'],
  'wrong-type': ['{expected}を書いてください(今は{given}です)'],
  'unknown-value': ['ここに「{name}」は書けません'],
  'too-small': ['{limit}以上にしてください'],
  'too-large': ['{limit}以下にしてください'],
  empty: ['空です'],
  'bad-duration': [
    '「{name}」は時間の長さではありません',
    'ミリ秒の数か、500ms、30s、5m、2h、1d のように書いてください',
  ],
  'bad-name': ['「{name}」は名前に使えない文字を含んでいます', '{rule}'],
  'bad-value': ['{problem}'],
  'duplicate-name': ['{what}「{name}」はすでにあります: {other}', 'どちらかの名前を変えてください'],
  'duplicate-id': [
    'ID「{name}」は前のステップが使っています: {other}',
    'どちらかの名前を変えてください',
  ],
  'jump-by-data': [
    'order: by-data のワークフローではステップの順序を変数が決めるため、行き先は書けません',
    'when で省くか、分岐のある流れを別のワークフロー(subflow)にしてください',
  ],
  'reserved-name': ['「{name}」は実行そのものの変数です', '別の名前にしてください'],
  'unknown-step': ['ここに「{name}」というステップはありません'],
  'unknown-role': ['プロンプトセット「{set}」に役割「{name}」がありません'],
  'unknown-prompt': ['プロンプトセット「{set}」にプロンプト「{name}」がありません'],
  'unknown-workflow': ['「{name}」というワークフローはありません'],
  'unknown-function': ['「{name}」という関数はありません'],
  'unknown-tool': ['「{name}」というツールはありません'],
  'unknown-server': ['use.mcpServers に「{name}」はありません'],
  'server-failed': ['サーバー「{name}」のツールを調べられません: {problem}'],
  'unknown-retriever': ['「{name}」という検索元はありません'],
  'unknown-activity': ['「{name}」というアクティビティはありません'],
  'unknown-retry': ['use.retries に「{name}」はありません'],
  'unknown-timeout': ['use.timeouts に「{name}」はありません'],
  'unknown-model': ['「{name}」というモデルはありません: {problem}'],
  'unknown-error-code': ['モデルのエラーに「{name}」というコードはないため、再試行されません'],
  'unknown-set': ['プロンプトセット「{name}」はありません'],
  'bad-cron': [
    'cron 式「{name}」は使えません: {problem}',
    '「0 7 * * 1-5」のように、分 時 日 月 曜日の順に書いてください',
  ],
  'bad-time-zone': [
    'タイムゾーン「{name}」はありません',
    'UTC や Asia/Tokyo のような名前を書いてください',
  ],
  'plain-secret': [
    '秘密の値をファイルに書くことはできません',
    '${NAME} のように環境変数の名前を書いてください',
  ],
  'sleep-time': ['sleep には duration と until のどちらか一つが必要です'],
  'quorum-too-large': [
    'エージェント{agents}個のうち{quorum}個の成功を待つことはできません',
    '{agents}以下にしてください',
  ],
  'subflow-recursion': [
    'ワークフローが自分自身を呼び出します: {cycle}',
    '分岐か条件で必ず終わるようにしてください',
  ],
  'endless-cycle': [
    'これらのステップは終わりなく繰り返されます: {cycle}',
    'maxRounds のある loop か、外へ出る branch を使ってください',
  ],
  'constant-until': [
    'until が見る変数をループの中のどのステップも変えないため、条件は変わりません',
    'ループの中で設定される変数を使ってください',
  ],
  'unreachable-step': [
    'ステップ「{name}」にたどり着く道がありません',
    'next_step でつなぐか、取り除いてください',
  ],
  'unreachable-agent': [
    'チームの誰も「{name}」に引き継ぎません',
    'ほかのメンバーの hands_over_to に書くか、取り除いてください',
  ],
  'unknown-member': ['チームに「{name}」というメンバーはいません'],
  'team-unseen': [
    'プロンプト「{prompt}」が team を使っていないため、ほかのメンバーの発言が伝わりません',
    'プロンプトで team.turns と team.notes を示してください',
  ],
  'unknown-variable': ['変数「{name}」を設定するステップはありません'],
  'variable-not-yet-set': [
    '変数「{name}」はまだ設定されていません: 設定するのは「{by}」だけで、前にありません',
  ],
  'variable-maybe-unset': [
    '変数「{name}」が設定されないままここに来る道があります',
    'どの道でも設定してください',
  ],
  'unknown-field': ['スキーマによれば「{parent}」に「{name}」はありません'],
  'field-of-value': [
    '「{parent}」に「{name}」はありません(オブジェクトではありません)',
    '設定するステップに output.schema を書いてください',
  ],
  'missing-input': [
    'プロンプト「{prompt}」には「{name}」が必要です',
    'input_variables に加えてください',
  ],
  'unused-input': [
    'プロンプト「{prompt}」は「{name}」を使っていません',
    'プロンプトで使うか、取り除いてください',
  ],
  'template-syntax': ['プロンプトを読み取れません: {problem}'],
  'condition-syntax': ['条件を読み取れません: {problem}'],
  'condition-type': ['条件を評価できません: {problem}'],
  'condition-not-boolean': [
    '条件の結果が{type}で、真偽値ではありません',
    '何かと比べる式にしてください',
  ],
  'condition-not-list': ['式の結果が{type}で、リストではありません'],
  'hidden-name': [
    '条件から変数「{name}」は読めません(CEL では別の意味になります)',
    '別の名前にしてください',
  ],
};

export const japanese: Messages = { sentences, terms, or, meant, thereIs, thereIsNone };
