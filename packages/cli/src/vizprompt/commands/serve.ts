import type { Command } from '@commander-js/extra-typings';
import { consoleSink, createLogger, defined } from '@vizprompt/providers';
import { chooseModel } from '../choose-model.ts';
import type { Cli } from '../../frame/cli.ts';
import { commaList, wholeNumber } from '../../frame/option-values.ts';
import { untilStopped } from '../until-stopped.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt serve --port 8080',
  'vizprompt serve --model ollama:qwen3 --allow-origins https://app.example',
  'VIZPROMPT_TOKEN=$(openssl rand -hex 16) vizprompt serve --host 0.0.0.0 --allow-hosts pc.local',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { options: text } = cli.text;
  command
    .option('--port <n>', text.port, wholeNumber(cli, { max: 65_535 }))
    .option('--host <address>', text.host)
    .option('--path <path>', text.path)
    .option('--token <token>', text.token)
    .option('--allow-hosts <list>', text.allowHosts, commaList)
    .option('--allow-origins <list>', text.allowOrigins, commaList)
    .option('--model <name>', text.serveModel)
    .option('--base-url <url>', text.baseUrl)
    .action(async (given) => {
      const { model, baseUrl, port, host, path, token } = given;
      const chosen = await chooseModel(cli, { model, baseUrl });
      await using vizprompt = await openProject(cli, chosen);
      const { serveWebSocket } = await import('@vizprompt/core/websocket');
      await using server = await serveWebSocket(vizprompt, {
        ...defined({
          port,
          host,
          path,
          // An empty variable is one that is not set.
          token: token ?? (cli.env['VIZPROMPT_TOKEN'] || undefined),
          allowedHosts: given.allowHosts,
          allowedOrigins: given.allowOrigins,
        }),
        logger: createLogger({ level: 'warn', sinks: [consoleSink()] }),
      });
      await cli.print({ url: server.url }, () => cli.text.listening(server.url));
      await untilStopped(cli.signal);
    });
}
