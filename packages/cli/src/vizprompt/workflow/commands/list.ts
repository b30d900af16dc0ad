import { Option, type Command } from '@commander-js/extra-typings';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../../frame/cli.ts';
import { wholeNumber } from '../../../frame/option-values.ts';
import { remark } from '../../../frame/remark.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions, dbosGiven } from '../dbos-options.ts';
import { openEngine } from '../open-engine.ts';

export const examples: readonly string[] = [
  'vizprompt workflow list',
  'vizprompt workflow list --status waiting --limit 5 --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  const STATUSES = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
  command
    .addOption(new Option('--status <status>', text.status).choices(STATUSES))
    .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
    .option('--after <id>', text.after)
    .action(async ({ status, limit, after }) => {
      await using opened = await openEngine(cli, {
        options: { files: [] },
        workers: dbosGiven(command),
      });
      const runs = await opened.engine.runs(defined({ status, limit, after }));
      if (cli.isJson) return await cli.out.json(runs);
      if (runs.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const { id, startedAt, status: state, workflow, error, damaged } of runs) {
        const problem = damaged ?? error?.message;
        const why = problem === undefined ? '' : cli.out.style('red', `  ${problem}`);
        await cli.out.line(`${id}  ${startedAt}  ${state.padEnd(9)}  ${workflow}${why}`);
      }
    });
  addDbosOptions(command, cli);
}
