import type { ChatModel } from '@vizprompt/providers';
import { textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/** Replaces a model: it says what it was asked, word by word, in the language of the question. */
export function offlineModel(): ChatModel {
  return scriptedModel(
    ({ messages }, call) => {
      const last = messages.at(-1);
      const asked = (last ? textOf(last) : '').trim().split('\n').at(-1) ?? '';
      const isJapanese = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(asked);
      return isJapanese
        ? `「${asked}」と聞かれました。モデルをつながずに動いているので、これは決まった答えです（${call + 1}回目）。`
        : `You asked: "${asked}". No model is connected, so this answer is always the same (call ${call + 1}).`;
    },
    { provider: 'offline', modelId: 'echo', chunkSize: 4, chunkDelayMs: 20 },
  );
}
