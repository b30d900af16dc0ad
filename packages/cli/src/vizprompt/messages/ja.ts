import { workflowJa, workflowSummariesJa } from '../workflow/messages/ja.ts';
import type { VizpromptMessages } from './vizprompt-messages.ts';

/** What vizprompt says, in Japanese. */
export const vizpromptJa: VizpromptMessages = {
  about: 'モデルとの会話を、ただのファイルの上のグラフとして扱います。',
  data: 'プロジェクトのフォルダー（既定: 上へたどって最初に見つかるもの）',
  summaries: { ...workflowSummariesJa },
  workflow: workflowJa,
};
