import { type ChatModel, textMessage } from '@vizprompt/providers';
import type { StoredNode } from '../node/node.ts';
import type { MergeConflict } from './merge-proposal.ts';
import { type MergeMaterial, mergeText } from './merge-text.ts';

/** Longer texts of the last nodes are cut at their end before they are sent. */
const MAX_CHARACTERS = 8000;

/** What a model makes of two branches. */
export interface ModelMerge {
  readonly response: string;
  readonly model: string;
  readonly conflicts: readonly MergeConflict[];
}

const CONFLICTS = /^[\s*#]*(?:矛盾|食い違い|conflicts)[\s*]*[:：][ \t*]*$/im;
const MERGED = /^[\s*#]*(?:統合|merged)[\s*]*[:：](?:\*\*(?=\s))?/im;

/** Asks a model for the merge: first where the branches do not agree, then the merged text. */
export async function mergeByModel(
  model: ChatModel,
  material: MergeMaterial,
  tips: readonly [StoredNode, StoredNode],
  signal?: AbortSignal,
): Promise<ModelMerge> {
  const { text } = await model.generate({
    messages: [textMessage('user', question(material, tips))],
    ...(signal ? { signal } : {}),
  });
  const start = MERGED.exec(text);
  const response = (start ? text.slice(start.index + start[0].length) : text).trim();
  const heading = CONFLICTS.exec(text);
  const listed = heading
    ? text.slice(heading.index + heading[0].length, start?.index ?? heading.index)
    : '';
  const conflicts = [...listed.matchAll(/^\s*[-*・]\s*(.+)$/gm)]
    .map(([, line = '']) => line.trim())
    .filter((line) => !/^(?:none|なし|ありません)[.。]?$/i.test(line))
    .map((line): MergeConflict => ({ kind: 'stated', text: line, left: [], right: [] }));
  return { response, model: model.modelId, conflicts };
}

function question(
  material: MergeMaterial,
  [left, right]: readonly [StoredNode, StoredNode],
): string {
  const whole = ({ prompt, response }: StoredNode): string =>
    `${prompt}\n\n${response}`.slice(0, MAX_CHARACTERS).toWellFormed();
  const text = mergeText(material);
  if (material.language === 'ja') {
    return `一つの会話が二つの枝に分かれました。両方の結論を一つに統合してください。
どちらかにしか無い事実も落とさず、食い違いは隠さずに挙げてください。

${text}

[一つ目の枝の最後の全文]
${whole(left)}

[二つ目の枝の最後の全文]
${whole(right)}

以下の形式で出力してください：
矛盾:
- [食い違いを一行に一つ。無ければ「なし」]
統合:
[統合した内容]
`;
  }
  return `A conversation parted into two branches. Merge what both came to into one text.
Leave out no fact that only one of them has, and name conflicts instead of hiding them.

${text}

[The last turn of the first branch in full]
${whole(left)}

[The last turn of the second branch in full]
${whole(right)}

Answer in exactly this form:
Conflicts:
- [one conflict a line, or "None"]
Merged:
[the merged text]
`;
}
