import { type ChatModel, LLMError, textMessage } from '@vizprompt/providers';
import { keywordsOf } from './keywords.ts';
import { guessLanguage, type Language } from '@vizprompt/providers/internal';
import { readDigest } from './read-digest.ts';
import { shorten, type SummaryLimits } from './shorten.ts';
import { MAX_KEYWORDS, MAX_TAGS, type Summarizer } from './summarize-offline.ts';

/** Longer texts are cut in their middle before they are sent. */
const MAX_CHARACTERS = 24_000;

/** The prompts for the model, by the language of the node. */
const PROMPTS: Readonly<Record<Language, (prompt: string, response: string) => string>> = {
  ja: (prompt, response) => `あなたは会話ノードの要約とタグ付けを行う専門家です。
以下のプロンプトと回答のペアを分析し、簡潔な要約とタグを生成してください。

[プロンプト]
${prompt}

[回答]
${response}

以下の形式で出力してください：
要約: [30-50単語程度の簡潔な説明]
タグ: [3-7個の重要キーワードをカンマ区切り]
`,
  en: (prompt, response) => `You are an expert at summarizing and tagging conversation nodes.
Analyze the following pair of a prompt and a response, and write a concise summary and tags.

[Prompt]
${prompt}

[Response]
${response}

Answer in exactly this form:
Summary: [a concise description of 30 to 50 words]
Tags: [3 to 7 important keywords, separated by commas]
`,
};

/** Makes digests by asking a model. */
export function modelSummarizer(model: ChatModel, limits: SummaryLimits): Summarizer {
  return async ({ prompt, response }, signal) => {
    const language = guessLanguage(`${prompt}\n${response}`);
    const question = PROMPTS[language](cutMiddle(prompt), cutMiddle(response));
    const { text } = await model.generate({
      messages: [textMessage('user', question)],
      ...(signal ? { signal } : {}),
    });
    const { summary, tags } = readDigest(text);
    if (summary === '') {
      throw new LLMError(
        'output_parse',
        `the model gave no summary, such as 'Summary: ...' or '要約: ...': ${text.slice(0, 200)}`,
        {
          provider: model.provider,
          modelId: model.modelId,
        },
      );
    }
    const found = keywordsOf(`${prompt}\n${response}`, MAX_KEYWORDS);
    const keywords = [...new Set([...tags, ...found])].slice(0, MAX_KEYWORDS);
    const shown = (tags.length > 0 ? tags : found).slice(0, MAX_TAGS);
    return { summary: shorten(summary, limits), tags: shown, keywords };
  };
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const half = MAX_CHARACTERS / 2;
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`;
}
