import { textOf, type ChatModel } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/** The patterns that each reviewer looks for in the lines that a change adds. */
const RULES: Readonly<Record<string, readonly (readonly [pattern: RegExp, remark: string])[]>> = {
  安全: [[/jwt\.decode\(/, '重大: decode は署名を確かめません。verify を使ってください']],
  速さ: [[/\w+Sync\(/, '軽微: 呼ばれるたびに、読み終わるまで全体が止まります']],
  読みやすさ: [[/\bany\b/, '軽微: any では、何が入っているか読む人に分かりません']],
};

/**
 * Replaces a model where none was named: reviewers that know a rule each, and a judge that counts. It really
 * reads what it is given, so another change gets another verdict.
 *
 * @param delayMs - Before each piece of an answer, so that there is time to look.
 */
export function offlineModel(delayMs: number): ChatModel {
  return scriptedModel(
    ({ messages }) => {
      const [role = '', prompt = ''] = messages.map((message) => textOf(message));
      const [, field] = /あなたは(.+)を見る評者です/.exec(role) ?? [];
      return field === undefined ? judge(prompt) : review(prompt, RULES[field] ?? []);
    },
    { provider: 'offline', modelId: 'rules', chunkDelayMs: delayMs },
  );
}

function review(prompt: string, rules: (typeof RULES)[string]): string {
  const added = prompt.split('\n').filter((line) => line.startsWith('+'));
  const remarks = rules.flatMap(([pattern, remark]) =>
    added.filter((line) => pattern.test(line)).map((line) => `${remark}: ${line.slice(1).trim()}`),
  );
  return remarks.join('\n') || '問題なし';
}

function judge(prompt: string): string {
  const grave = prompt.split('\n').filter((line) => line.startsWith('重大: '));
  const reason = grave[0] ?? '重大な問題を挙げた評者はいません。';
  return JSON.stringify({ verdict: grave.length > 0 ? 'revise' : 'approve', reason });
}
