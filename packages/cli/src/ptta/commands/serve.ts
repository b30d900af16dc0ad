import type { ExportOptions, MemoryStore } from '@vizprompt/memory';
import { HeldTexts, streamTexts } from '@vizprompt/providers/serving/internal';
import type { Context, Hono } from 'hono';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import {
  addServerOptions,
  serveHttp,
  type ServerFlags,
  serverSettings,
} from '../../frame/server.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';

const PORT = 7737;

export const serveCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta serve',
    'ptta serve --port 8080 --host 0.0.0.0 --token "$(openssl rand -hex 16)"',
  ],
  define(command, cli) {
    addServerOptions(command, cli, { port: PORT }).action(async (flags: ServerFlags) => {
      await serveMemory(cli, flags);
    });
  },
};

const HEADERS = { 'Content-Type': 'text/html; charset=utf-8' };

export const webCommand: CommandModule<PttaMessages> = {
  examples: ['ptta web', 'ptta web --port 8080 --workspace .'],
  define(command, cli) {
    addServerOptions(command, cli, { port: PORT })
      .option('--workspace <path>', cli.text.webWorkspace, pathValue(cli))
      .action(async ({ workspace, ...flags }) => {
        await serveMemory(cli, flags, (app, store) => addPages(app, store, workspace));
      });
  },
};

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

export const mcpCommand: CommandModule<PttaMessages> = {
  examples: ['ptta mcp', 'claude mcp add ptta -- ptta mcp --workspace .'],
  define(command, cli) {
    command
      .option('--workspace <path>', cli.text.workspace, pathValue(cli))
      .action(async ({ workspace }) => {
        await using store = await openMemory(cli, { make: true, fallsBack: true });
        const { serveMemoryStdio } = await import('@vizprompt/memory/mcp');
        await using server = await serveMemoryStdio(store, {
          workspace: workspaceHere(cli, workspace),
          input: cli.stdin,
          output: cli.out.stream,
        });
        // Nothing but messages may go to standard output, so nothing is printed.
        const stopped = new Promise<void>((done) => {
          cli.signal.addEventListener('abort', () => done(), { once: true });
        });
        await Promise.race([server.closed, stopped]);
        cli.stdin.destroy();
      });
  },
};

/**
 * Serves the REST API of the memory and its live timelines until it is stopped.
 *
 * @param extend - Serves more next to it, after the same guards.
 */
async function serveMemory(
  cli: Cli<PttaMessages>,
  flags: ServerFlags,
  extend: (app: Hono, store: MemoryStore) => void = () => {},
): Promise<void> {
  const settings = serverSettings(cli, flags);
  const { token, allowedHosts, allowedOrigins } = settings;
  await using store = await openMemory(cli, { make: true, fallsBack: true });
  const { createMemoryApp } = await import('@vizprompt/memory/http');
  const app = await createMemoryApp(store, {
    ...(token === undefined ? {} : { token }),
    allowedHosts,
    allowedOrigins,
    signal: cli.signal,
  });
  extend(app, store);
  await serveHttp(cli, (request, env) => app.fetch(request, env), settings);
}
