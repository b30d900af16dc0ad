import { serveStatic } from '@hono/node-server/serve-static';
import type { VizPrompt } from '@vizprompt/core';
import { ChatError, chatStore } from '@vizprompt/core/ai-sdk';
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

/** Returns the server of the page: its files, its threads, and the chat. */
export function createApp(vizprompt: VizPrompt, model: ChatModel): Hono {
  const chats = chatStore(vizprompt);
  const threads = threadRoutes(vizprompt);
  const answer = chats.handler(async (turn, request) => {
    const result = streamText({
      model: toAiSdk(model),
      messages: await convertToModelMessages(turn.messages),
      abortSignal: request.signal,
    });
    const stream = toUIMessageStream({ stream: result.stream, ...turn.streamOptions });
    return createUIMessageStreamResponse({ stream });
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
  return app;
}
