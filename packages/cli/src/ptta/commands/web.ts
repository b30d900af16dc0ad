import type { Command } from '@commander-js/extra-typings';
import type { ExportOptions, MemoryStore } from '@vizprompt/memory';
import { HeldTexts, streamTexts } from '@vizprompt/providers/serving/internal';
import type { Context, Hono } from 'hono';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { addServerOptions } from '../../frame/server-options.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { serveMemory } from '../serve-memory.ts';

export const examples: readonly string[] = ['ptta web', 'ptta web --port 8080 --workspace .'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  addServerOptions(command, cli, { port: 7737 })
    .option('--workspace <path>', cli.text.webWorkspace, pathValue(cli))
    .action(async ({ workspace, ...flags }) => {
      await serveMemory(cli, flags, (app, store) => addPages(app, store, workspace));
    });
}

const HEADERS = { 'Content-Type': 'text/html; charset=utf-8' };

/** Adds timelines to be read in a browser: `/` of a workspace or of all, `/sessions/:id` of a session. */
function addPages(app: Hono, store: MemoryStore, workspace: string | undefined): void {
  const held = new HeldTexts();
  const scope = workspace === undefined ? {} : { workspace };
  app.get('/', (context) => page(store, context, { options: scope, held }));
  app.get('/sessions/:id', async (context) => {
    const session = context.req.param('id');
    // Says that there is none before the page has begun.
    await store.getSession(session);
    return page(store, context, { options: { session }, held });
  });
}

function page(store: MemoryStore, { req }: Context, { options, held }: Page): Response {
  const pieces = store.exportHtml({ ...options, signal: req.raw.signal });
  return new Response(streamTexts(pieces, { held }), { headers: HEADERS });
}

interface Page {
  readonly options: ExportOptions;
  readonly held: HeldTexts;
}
