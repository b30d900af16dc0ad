import type { Command } from '@commander-js/extra-typings';
import { type Logger } from '@vizprompt/providers';
import { type Cli, warn } from '../../frame/cli.ts';
import { addServerOptions, serverSettings, tellAddress, untilStopped } from '../../frame/server.ts';
import type { DialogoiMessages } from '../messages/en.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings.ts';

export const examples: readonly string[] = [
  'dialogoi mcp --project-root ./my-novels --max-tokens 300',
  'dialogoi mcp --http --port 3000',
];

/** An option of HTTP alone asks for it. */
const HTTP_OPTIONS = ['port', 'host', 'token', 'path', 'allowHost', 'allowOrigin'] as const;

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  addServerOptions(command, cli, { port: 0 })
    .option('--http', cli.text.mcp.http)
    .option('--path <path>', cli.text.mcp.path, '/mcp')
    .action(async ({ http = false, path, ...flags }) => {
      const isAsked = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
      const isHttp = http || HTTP_OPTIONS.some(isAsked);
      await using opened = await openNovels(cli, command, { watch: true });
      const { serveNovelHttp, serveNovelStdio } = await import('@vizprompt/rag/mcp');
      const logger = loggerOf(cli, opened.logger);
      if (!isHttp) {
        // Standard output belongs to the protocol.
        await using server = await serveNovelStdio(opened.novels, {
          logger,
          input: cli.stdin,
          output: cli.out.stream,
        });
        await Promise.race([server.closed, untilStopped(cli)]);
        return;
      }
      const settings = serverSettings(cli, flags);
      const { port, host, token, allowedHosts, allowedOrigins } = settings;
      await using server = await serveNovelHttp(opened.novels, {
        port,
        host,
        path,
        ...(token === undefined ? {} : { token }),
        allowedHosts,
        allowedOrigins,
        logger,
      });
      await tellAddress(cli, server.url, settings);
      await untilStopped(cli);
    });
  addSettings(command, cli);
}

/** Returns a logger that says problems on standard error, and writes them to the log. */
function loggerOf(cli: Cli<DialogoiMessages>, log: Logger): Logger {
  const tell = (message: string, fields: object = {}): void => {
    void warn(cli, `${message} ${JSON.stringify(fields)}`).catch(() => {});
  };
  return {
    ...log,
    warn(message, fields) {
      log.warn(message, fields);
      tell(message, fields);
    },
    error(message, fields) {
      log.error(message, fields);
      tell(message, fields);
    },
  };
}
