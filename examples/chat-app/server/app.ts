import { serveStatic } from '@hono/node-server/serve-static';
import type { VizPrompt } from '@vizprompt/core';
import { answerStreams, ChatError, chatStore } from '@vizprompt/core/ai-sdk';
import { threadRoutes } from '@vizprompt/core/assistant-ui';
import type { ChatModel } from '@vizprompt/providers';
import { toAiSdk } from '@vizprompt/providers/ai-sdk';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
} from 'ai';
import { Hono } from 'hono';
import { csrf } from 'hono/csrf';

/** The server of the page. */
export interface ChatApp {
  readonly fetch: Hono['fetch'];
  /** Stops the answers that are on their way, and waits until what has come is stored. */
  stop(): Promise<void>;
}

/** An answer that is on its way. */
interface Running {
  stop(): void;
  readonly ended: Promise<void>;
}

/** The header by which assistant-ui knows that it can continue with an answer after a reload. */
const RESUMABLE = 'x-resumable-stream-id';

/** Returns the server of the page: its files, its threads, and the chat. */
export function createApp(vizprompt: VizPrompt, model: ChatModel): ChatApp {
  const chats = chatStore(vizprompt, { streams: answerStreams() });
  const threads = threadRoutes(vizprompt);
  const running = new Map<string, Running>();
  const answer = chats.handler(async ({ id, messages, streamOptions }) => {
    // A page that is reloaded ends its request, and not the answer.
    const controller = new AbortController();
    const result = streamText({
      model: toAiSdk(model),
      messages: await convertToModelMessages(messages),
      abortSignal: controller.signal,
    });
    return createUIMessageStreamResponse({
      stream: toUIMessageStream({ stream: result.stream, ...streamOptions }),
      headers: { [RESUMABLE]: id },
      consumeSseStream({ stream }) {
        const ended = streamOptions.consumeSseStream?.({ stream }) ?? Promise.resolve();
        running.set(id, { stop: () => controller.abort(), ended });
      },
    });
  });

  const app = new Hono();
  // Other pages of this browser can neither read the chats nor ask the model.
  app.use(csrf());
  app.use(async (context, next) => {
    const { hostname } = new URL(context.req.url);
    if (hostname !== '127.0.0.1' && hostname !== 'localhost') return context.text('', 403);
    return next();
  });
  app.post('/api/chat', (context) => answer(context.req.raw));
  app.get('/api/chat/:id/stream', ({ req }) => chats.resume(req.param('id'), { request: req.raw }));
  app.delete('/api/chat/:id/stream', (context) => {
    running.get(context.req.param('id'))?.stop();
    return context.json({});
  });
  app.put('/api/chat/:id/branch/:message', async (context) => {
    const { id, message } = context.req.param();
    try {
      await chats.switchTo(id, message);
      return context.json({});
    } catch (error) {
      if (ChatError.isInstance(error)) return error.toResponse();
      throw error;
    }
  });
  // Not PUT: what was said is stored by the chat, where no page can forge an answer.
  app.on(['GET', 'POST', 'PATCH', 'DELETE'], ['/api/threads', '/api/threads/*'], (context) =>
    threads.GET(context.req.raw),
  );
  app.use(serveStatic({ root: 'dist' }));
  return {
    fetch: app.fetch,
    async stop() {
      for (const each of running.values()) each.stop();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
