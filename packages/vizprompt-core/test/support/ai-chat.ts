import {
  AbstractChat,
  convertToModelMessages,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
} from 'ai';
import * as ai from 'ai';
import * as mocks from 'ai/test';
import type { ChatStore } from '@vizprompt/core/ai-sdk';
import { vi } from 'vitest';
import { z } from 'zod';

/** A chat of the AI SDK as a page has it, and the server that answers it. */
export interface ServedChat {
  readonly chat: AbstractChat<UIMessage>;
  /** The messages on the screen, as JSON. */
  screen(): UIMessage[];
  /** Waits until nothing is sent, answered or stored. */
  idle(): Promise<void>;
}

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

/** The model's words: a tool for "tool", by its name if that follows, a thought and a source, and text that no encoding may change. */
function chunksFor(prompt: readonly { readonly role: string }[], call: string): readonly object[] {
  const last = JSON.stringify(prompt.at(-1));
  const asks = prompt.at(-1)?.role === 'user' && last.includes('tool');
  if (asks) {
    const toolName = Object.keys(tools).find((name) => last.includes(`tool ${name}`)) ?? 'weather';
    return [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { sig: 'x' } } },
      { type: 'tool-call', toolCallId: `c${call}`, toolName, input: '{"city":"東京"}' },
    ];
  }
  return [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: `answer ${call}\r\n` },
    { type: 'text-delta', id: '1', delta: '続き\u0000 \ud800' },
    { type: 'text-end', id: '1' },
    { type: 'source', sourceType: 'url', id: 's1', url: 'https://x.test', title: 'T' },
  ];
}

/** Gates of answers that wait for the test, by the words that are asked. */
export type Gates = ReadonlyMap<string, Promise<unknown>>;

function modelOf(gates: Gates, name: string): Parameters<typeof streamText>[0]['model'] {
  let calls = 0;
  const doStream = async ({ prompt }: { prompt: readonly { role: string }[] }): Promise<object> => {
    calls += 1;
    const said = chunksFor(prompt, `${calls}${name}`);
    const isTool = said.some((chunk) => 'toolName' in chunk);
    const finishReason = { unified: isTool ? 'tool-calls' : 'stop', raw: undefined };
    const gate = [...gates].find(([word]) => JSON.stringify(prompt.at(-1)).includes(word))?.[1];
    const chunks = [{ type: 'stream-start', warnings: [] }, ...said];
    const end = { type: 'finish', finishReason, usage };
    if (!gate) return { stream: simulateReadableStream({ chunks: [...chunks, end] }) };
    const stream = new ReadableStream({
      async start(controller) {
        for (const chunk of chunks.slice(0, 3)) controller.enqueue(chunk);
        await gate;
        controller.close();
      },
    });
    return { stream };
  };
  const Mock: unknown = Reflect.get(mocks, 'MockLanguageModelV4') ?? mocks.MockLanguageModelV3;
  return Reflect.construct(Mock as typeof mocks.MockLanguageModelV3, [{ doStream }]);
}

const tools = {
  weather: tool({
    inputSchema: z.object({ city: z.string() }),
    needsApproval: true,
    execute: async ({ city }: { city: string }) => ({ city, degrees: 20 }),
  }),
  /** The page runs it. */
  locate: tool({ inputSchema: z.object({ city: z.string() }), outputSchema: z.unknown() }),
  /** Ends with the answer that waits for it. */
  pay: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: (_, { abortSignal }) =>
      new Promise<string>((_resolve, reject) => {
        abortSignal?.addEventListener('abort', () => reject(new Error('stopped')));
      }),
  }),
};

/** Answers a chat with a model that says the same each time, through the store and the routes that a user writes. */
export function serveChat(
  chats: ChatStore,
  id: string,
  options: {
    readonly messages?: UIMessage[];
    readonly gates?: Gates;
    /** True if answers continue without the page that asked. Default: `false`. */
    readonly isHeld?: boolean;
    /** The name of the page, in all that its model says. Default: none. */
    readonly name?: string;
  } = {},
): ServedChat {
  const { messages = [], gates = new Map(), isHeld = false, name = '' } = options;
  const model = modelOf(gates, name);
  let open = 0;
  const post = chats.handler(async (turn, request) => {
    const { onFinish, ...given } = turn.streamOptions;
    open += 1;
    const finish = async (event: Parameters<typeof onFinish>[0]): Promise<void> => {
      try {
        await onFinish(event);
      } finally {
        open -= 1;
      }
    };
    const result = streamText({
      model,
      tools,
      stopWhen: stepCountIs(4),
      ...(isHeld ? {} : { abortSignal: request.signal }),
      messages: await convertToModelMessages(turn.messages, {
        tools,
        ignoreIncompleteToolCalls: true,
      }),
      onError: () => undefined,
    });
    const toStream: unknown = Reflect.get(ai, 'toUIMessageStream');
    if (typeof toStream !== 'function') {
      return result.toUIMessageStreamResponse({ ...given, sendSources: true, onFinish: finish });
    }
    const stream = toStream({
      stream: Reflect.get(result, 'stream') ?? result.fullStream,
      tools,
      ...given,
      sendSources: true,
      onFinish: finish,
    });
    const { consumeSseStream } = given;
    return ai.createUIMessageStreamResponse({
      stream,
      ...(consumeSseStream && { consumeSseStream }),
    });
  });
  const chat = new Page(messages, {
    id,
    transport: new DefaultChatTransport({
      api: 'http://x.test/api/chat',
      async fetch(url, init) {
        const request = new Request(url, init);
        return request.method === 'GET' ? chats.resume(id, { request }) : post(request);
      },
    }),
    sendAutomaticallyWhen: (shown) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(shown) ||
      lastAssistantMessageIsCompleteWithToolCalls(shown),
  });
  return {
    chat,
    screen: () => JSON.parse(JSON.stringify(chat.messages)),
    async idle() {
      const isDecided = (part: UIMessage['parts'][number]): boolean =>
        'state' in part && part.state === 'approval-responded';
      await vi.waitUntil(
        () =>
          open === 0 &&
          (chat.status === 'ready' || chat.status === 'error') &&
          // A decision is sent in a moment.
          chat.lastMessage?.parts.some(isDecided) !== true,
        { timeout: 60_000, interval: 1 },
      );
    },
  };
}

/** A chat whose state is plain values. */
class Page extends AbstractChat<UIMessage> {
  constructor(
    messages: UIMessage[],
    init: Omit<ConstructorParameters<typeof AbstractChat<UIMessage>>[0], 'state'>,
  ) {
    super({
      ...init,
      state: {
        status: 'ready',
        error: undefined,
        messages,
        pushMessage(message) {
          this.messages = [...this.messages, message];
        },
        popMessage() {
          this.messages = this.messages.slice(0, -1);
        },
        replaceMessage(at, message) {
          this.messages = this.messages.with(at, message);
        },
        snapshot: (value) => structuredClone(value),
      },
    });
  }
}
