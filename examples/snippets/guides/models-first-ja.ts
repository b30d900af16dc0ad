// #region program
import { LLMError, textMessage } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { startFakeLLM } from '@vizprompt/providers/testing';

// OpenAI のプロトコルを話す、手元のサーバー。キーは要らない。
await using server = await startFakeLLM({ answer: '静かだからです。' });
const model = openai({ model: 'gpt-5-mini', baseURL: `${server.url}/v1`, apiKey: 'none' });
const request = { messages: [textMessage('user', 'なぜ猫？')] };

console.log((await model.generate(request)).text);

server.fail({ type: 'truncate', afterChunks: 1 }); // 次の答えは、終わりの印なしに終わる
try {
  await model.generate(request);
} catch (error) {
  if (!LLMError.isInstance(error)) throw error;
  console.log(error.code, error.isRetryable);
}
// #endregion program
