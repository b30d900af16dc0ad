import type { Command } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import type { PriceTable } from '@vizprompt/providers/middleware';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../../errors.ts';
import { consentOf } from '../../../frame/consent.ts';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import { untilStopped } from '../../../frame/serve-http.ts';
import { warn } from '../../../frame/warn.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions, dbosGiven } from '../dbos-options.ts';
import { loadModule } from '../load-module.ts';
import { pairs } from '../option-values.ts';
import { jsonFile } from '../read-json.ts';

export const examples: readonly string[] = [
  'vizprompt workflow worker --url postgres://localhost/app --module steps.mjs',
  'DATABASE_URL=postgres://localhost/app vizprompt workflow worker --concurrency ollama=2 --runs 50',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
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
}
