import type { Command } from '@commander-js/extra-typings';
import { createLogger, messageOf } from '@vizprompt/providers';
import { formatLogEntry, omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import { addServerOptions, serverSettings, tellAddress, untilStopped } from '../../frame/server.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { assertModel, chooseModel, openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt serve --port 8080',
  'vizprompt serve --model ollama:qwen3 --allow-origin https://app.example',
  'vizprompt serve --host 0.0.0.0 --token "$(openssl rand -hex 16)"',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  addServerOptions(command, cli, { port: PORT })
    .option('--path <path>', text.path)
    .option('--model [name]', text.serveModel)
    .option('--base-url <url>', text.baseUrl)
    .action(async ({ model, baseUrl, path, ...flags }) => {
      // Clients spend what the server pays: its owner must have allowed it.
      const isAsked = model !== undefined || baseUrl !== undefined;
      const chosen = isAsked ? await chooseModel(cli, { model, baseUrl }) : {};
      await using vizprompt = await openProject(cli, chosen);
      if (isAsked) assertModel(cli, vizprompt);
      const { serveWebSocket } = await import('@vizprompt/core/websocket');
      const { isTokenNew, ...settings } = serverSettings(cli, flags);
      const logger = createLogger({
        level: 'warn',
        sinks: [(entry) => void cli.err.write(`${formatLogEntry(entry)}\n`).catch(() => {})],
      });
      // Clients hear what other commands, git and editors write meanwhile.
      await vizprompt.watch({
        onError: (error) =>
          logger.warn('the project could not be looked at', { error: messageOf(error) }),
      });
      await using server = await serveWebSocket(vizprompt, {
        ...settings,
        ...defined({ path }),
        logger,
      });
      await tellAddress(cli, server.url, { ...settings, isTokenNew });
      await untilStopped(cli);
    });
}

const PORT = 8080;
