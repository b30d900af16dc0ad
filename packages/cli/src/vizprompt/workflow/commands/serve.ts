import type { Command } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../../frame/cli.ts';
import { serveHttp } from '../../../frame/serve-http.ts';
import {
  addServerOptions,
  serverSettings,
  type ServerFlags,
} from '../../../frame/server-options.ts';
import { warn } from '../../../frame/warn.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions } from '../dbos-options.ts';
import { leadParts } from '../lead-options.ts';
import { openEngine } from '../open-engine.ts';
import { addSources, sourcesOf } from '../sources.ts';

export const examples: readonly string[] = [
  'vizprompt workflow serve --file flows.yaml',
  'vizprompt workflow serve --file flows.yaml --module steps.mjs --host 0.0.0.0 --allow-host flows.example.com',
];

const PORT = 7738;

/** Flags of the command, including those of every server. */
type ServeFlags = ServerFlags & {
  readonly module?: string;
  readonly model?: string;
  readonly prices?: string;
};

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  const serving = addServerOptions(command, cli, { port: PORT })
    .option('--module <file>', text.module)
    .option('--model <model>', text.model)
    .option('--prices <file>', text.prices);
  addSources(serving, cli);
  addDbosOptions(serving, cli);
  serving.action(async (flags: ServeFlags) => {
    const settings = serverSettings(cli, flags);
    const { token, allowedHosts, allowedOrigins } = settings;
    const { parts, workers } = await leadParts(command, cli, {
      module: flags.module,
      model: flags.model,
      prices: flags.prices,
    });
    await using opened = await openEngine(cli, {
      options: { ...sourcesOf(command, cli), ...parts },
      make: true,
      workers,
    });
    const { engine } = opened;
    const { createWorkflowHandler } = await import('@vizprompt/workflow/http');
    const handler = createWorkflowHandler(engine, {
      allowedHosts,
      allowedOrigins,
      ...defined({ token }),
    });
    const tell = (line: string): void => void warn(cli, line).catch(() => undefined);
    await using schedules = await engine.startSchedules({
      onRun: ({ id }, schedule) =>
        void cli.err.line(text.scheduled(schedule, id)).catch(() => undefined),
      onError: (error, schedule) => tell(`${schedule}: ${messageOf(error)}`),
    });
    for (const [name, at] of Object.entries(schedules.next())) {
      await cli.err.line(text.nextTime(name, at));
    }
    await serveHttp(cli, handler, settings);
  });
}
