import { textMessage, type ChatModel } from '@vizprompt/providers';
import type { SearchHit } from '@vizprompt/rag';
import { cutOutAnswer } from './cut-out-answer.ts';

const RULES =
  'あなたは小説の資料係です。渡された抜粋だけを根拠に、簡潔に答えてください。' +
  '文ごとに、根拠とした抜粋の番号を [1] のように付けてください。' +
  '抜粋から分からないことには「分かりません」と答えてください。';

/** Answers from passages. Its citations have file and lines, and are among the given ones. */
export async function answerQuestion(
  question: string,
  hits: readonly SearchHit[],
  model: ChatModel | undefined,
): Promise<string> {
  const text = model ? await askModel(model, question, hits) : cutOutAnswer(question, hits);
  return text.replaceAll(/\[(\d+)\]/g, (cited, number: string) => {
    const payload = hits[Number(number) - 1]?.payload;
    // A model may name a passage that it was not given: that must not look like a source.
    return payload
      ? `[${payload.file}:${payload.start}-${payload.end}]`
      : `[no such passage: ${cited}]`;
  });
}

async function askModel(
  model: ChatModel,
  question: string,
  hits: readonly SearchHit[],
): Promise<string> {
  const passages = hits.map(({ content }, at) => `[${at + 1}]\n${content}`);
  const { text } = await model.generate({
    messages: [
      textMessage('system', RULES),
      textMessage('user', `抜粋:\n${passages.join('\n\n')}\n\n質問: ${question}`),
    ],
  });
  return text;
}
