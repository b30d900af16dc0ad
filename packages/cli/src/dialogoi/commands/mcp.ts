import { once } from 'node:events';
import type { Command } from '@commander-js/extra-typings';
import { defined, silentLogger, type Logger } from '@vizprompt/providers';
import type { Cli } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import { warn } from '../../frame/warn.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings-options.ts';

export const examples: readonly string[] = [
  'dialogoi mcp --project-root ./my-novels --max-tokens 300',
  'dialogoi mcp --http --port 3000',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  const { mcp: text } = cli.text;
  command
    .option('--http', text.http)
    .option('--port <n>', text.port, wholeNumber(cli, { max: 65_535 }))
    .option('--host <address>', text.host)
    .option('--path <path>', text.path)
    .option('--token <token>', text.token)
    .option('--allowed-hosts <names>', text.allowedHosts, commaList)
    .option('--allowed-origins <names>', text.allowedOrigins, commaList)
    .action(async ({ http = false, ...options }) => {
      const { port, host, path, token, allowedHosts, allowedOrigins } = options;
      // What only HTTP has asks for it.
      const given = defined({ port, host, path, token, allowedHosts, allowedOrigins });
      const isHttp = http || Object.keys(given).length > 0;
      await using opened = await openNovels(cli, command, { watch: true });
      const { serveNovelHttp, serveNovelStdio } = await import('@vizprompt/rag/mcp');
      const logger = loggerOf(cli);
      if (!isHttp) {
        // Standard output belongs to the protocol.
        await using server = await serveNovelStdio(opened.novels, { logger });
        await Promise.race([server.closed, aborted(cli.signal)]);
        return;
      }
      const secret = cli.env['DIALOGOI_MCP_TOKEN'];
      await using server = await serveNovelHttp(opened.novels, {
        ...(secret ? { token: secret } : {}),
        ...given,
        logger,
      });
      await cli.print({ url: server.url }, () => text.listening(server.url));
      await aborted(cli.signal);
    });
  addSettings(command, cli);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

function loggerOf(cli: Cli<DialogoiMessages>): Logger {
  const tell = (message: string, fields: object = {}): void => {
    void warn(cli, `${message} ${JSON.stringify(fields)}`).catch(() => {});
  };
  return { ...silentLogger, warn: tell, error: tell };
}
