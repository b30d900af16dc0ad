// A model that needs no SDK. The protocol is https://github.com/ollama/ollama/blob/main/docs/api.md
// #region model
import { collectChat, LLMError, readChatInput, textOf } from '@vizprompt/providers';
import type { ChatEvent, ChatInput, ChatModel, ChatRequest } from '@vizprompt/providers';

export function plainOllama(modelId: string, address = 'http://127.0.0.1:11434'): ChatModel {
  const who = { provider: 'plain-ollama', modelId };

  async function* stream(input: ChatInput): AsyncGenerator<ChatEvent> {
    // A text, a prompt, and messages of other SDKs are messages from here on.
    const { messages, signal, timeout } = readChatInput(input);
    const limit = AbortSignal.timeout(timeout?.totalMs ?? 600_000);
    let said = '';
    try {
      const response = await fetch(`${address}/api/chat`, {
        method: 'POST',
        body: bodyOf(modelId, messages),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      if (!response.ok) throw await failureOf(response, who);
      yield { type: 'start', model: modelId, warnings: [] };
      for await (const { message, done, ...counts } of linesOf(response)) {
        said += message.content;
        if (message.content) yield { type: 'text-delta', index: 0, text: message.content };
        if (!done) continue;
        yield { type: 'part', index: 0, part: { type: 'text', text: said } };
        const usage = { inputTokens: counts.prompt_eval_count, outputTokens: counts.eval_count };
        yield { type: 'finish', reason: 'stop', usage };
      }
    } catch (error) {
      if (LLMError.isInstance(error)) throw error;
      const code = signal?.aborted ? 'aborted' : limit.aborted ? 'timeout' : 'network';
      const details = { ...who, cause: error, outputStarted: said !== '' };
      throw new LLMError(code, `${modelId} at ${address}: ${code}`, details);
    }
  }

  return {
    specVersion: 1,
    ...who,
    address,
    capabilities: {},
    stream,
    generate: (input) => collectChat(stream(input)),
  };
}
// #endregion model

// #region wire
interface Line {
  readonly message: { readonly content: string };
  readonly done: boolean;
  readonly prompt_eval_count: number;
  readonly eval_count: number;
}

function bodyOf(model: string, messages: ChatRequest['messages']): string {
  const texts = messages.map((message) => ({ role: message.role, content: textOf(message) }));
  return JSON.stringify({ model, messages: texts });
}

async function* linesOf({ body }: Response): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
  if (rest !== '') yield JSON.parse(rest) as Line;
}

async function failureOf(
  response: Response,
  who: { readonly provider: string; readonly modelId: string },
): Promise<LLMError> {
  const code = response.status === 429 ? 'rate_limit' : 'server';
  const { status } = response;
  return new LLMError(code, `${who.modelId}: ${await response.text()}`, { ...who, status });
}
// #endregion wire
