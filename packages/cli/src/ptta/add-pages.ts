import type { ExportOptions, MemoryStore } from '@vizprompt/memory';
import type { Context, Hono } from 'hono';

const HEADERS = { 'Content-Type': 'text/html; charset=utf-8' };

/** Adds timelines to be read in a browser: `/` of a workspace or of all, `/sessions/:id` of a session. */
export function addPages(app: Hono, store: MemoryStore, workspace: string | undefined): void {
  const scope = workspace === undefined ? {} : { workspace };
  app.get('/', (context) => page(store, context, scope));
  app.get('/sessions/:id', async (context) => {
    const session = context.req.param('id');
    // Tells that there is none before the page has begun.
    await store.getSession(session);
    return page(store, context, { session });
  });
}

function page(store: MemoryStore, { req }: Context, options: ExportOptions): Response {
  const pieces = store.exportHtml({ ...options, signal: req.raw.signal });
  const stream = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return new Response(stream, { headers: HEADERS });
}
