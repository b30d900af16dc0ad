import { messageOf } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { PriceTable } from '@vizprompt/providers/middleware';
import { CliError } from '../../../errors.ts';
import { consentOf } from '../../../frame/consent.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import {
  addServerOptions,
  serveHttp,
  type ServerFlags,
  serverSettings,
  untilStopped,
} from '../../../frame/server.ts';
import type { CommandModule } from '../../../frame/tool.ts';
import { warn } from '../../../frame/cli.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import {
  addDbosOptions,
  addSources,
  dbosGiven,
  jsonFile,
  leadParts,
  loadModule,
  pairs,
  sourcesOf,
} from '../options.ts';
import { openEngine } from '../open-engine.ts';

const PORT = 7738;

export const serveCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow serve --file flows.yaml',
    'vizprompt workflow serve --file flows.yaml --module steps.mjs --host 0.0.0.0 --allow-host flows.example.com',
  ],
  define(command, cli) {
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
  },
};

/** Flags of the command, including those of every server. */
type ServeFlags = ServerFlags & {
  readonly module?: string;
  readonly model?: string;
  readonly prices?: string;
};

export const workerCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt workflow worker --url postgres://localhost/app --module steps.mjs',
    'DATABASE_URL=postgres://localhost/app vizprompt workflow worker --concurrency ollama=2 --runs 50',
  ],
  define(command, cli) {
    const { workflow: text } = cli.text;
    command
      .option('--module <file>', text.module)
      .option('--model <model>', text.model)
      .option('--prices <file>', text.prices)
      .option('--runs <n>', text.runs, wholeNumber(cli, { min: 1 }))
      .option('--concurrency <provider=n>', text.concurrency, pairs(cli, 'PROVIDER=N'))
      .option('--lease-ms <n>', text.leaseMs, wholeNumber(cli, { min: 1 }))
      .option('--poll-ms <n>', text.pollMs, wholeNumber(cli, { min: 1 }))
      .action(
        async ({ model: defaultModel, runs, concurrency = [], leaseMs, pollMs, ...options }) => {
          const url = cli.env['DATABASE_URL'];
          const place = dbosGiven(command) ?? (url ? { url } : undefined);
          if (!place) throw new CliError('usage', cli.frame.giveOne('--url, DATABASE_URL'));
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker looks at it
          const prices = (await jsonFile(cli, options.prices)) as PriceTable | undefined;
          const module = await loadModule(cli, options.module);
          const shared = concurrency.map(([provider, calls]) => {
            return [provider, { concurrency: wholeNumber(cli, { min: 1 })(calls) }] as const;
          });
          const { runWorker } = await import('@vizprompt/workflow/dbos');
          await using worker = await runWorker({
            ...place,
            ...module,
            trust: consentOf(cli),
            concurrency: { ...defined({ runs }), shared: Object.fromEntries(shared) },
            ...defined({ defaultModel, prices, leaseMs, pollMs }),
          });
          const tell = (value: object, line: () => string): void =>
            void cli.print(value, line).catch(() => {});
          worker.on('run:started', ({ runId, workflow }) =>
            tell({ event: 'run:started', runId, workflow }, () => `▸ ${runId}  ${workflow}`),
          );
          worker.on('run:ended', ({ runId, status, error }) =>
            tell({ event: 'run:ended', runId, status, ...defined({ error }) }, () =>
              [`■ ${runId}  ${status}`, ...(error ? [error.message] : [])].join('  '),
            ),
          );
          worker.on(
            'recorder:failed',
            ({ error }) => void warn(cli, messageOf(error)).catch(() => {}),
          );
          await cli.print({ event: 'working', namespace: place.namespace }, () => text.working);
          await untilStopped(cli);
        },
      );
    addDbosOptions(command, cli);
  },
};
