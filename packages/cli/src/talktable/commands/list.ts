import { Option, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { remark } from '../../frame/remark.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openLog } from '../open-log.ts';

export const examples: readonly string[] = [
  'talktable list',
  'talktable list --status paused --limit 5 --json',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const { text } = cli;
  const STATUSES = ['running', 'paused', 'stopped', 'failed', 'done'] as const;
  command
    .addOption(new Option('--status <status>', text.status).choices(STATUSES))
    .option('--limit <n>', text.limit, wholeNumber(cli, { min: 1 }))
    .option('--log-path <file>', text.logPath)
    .action(async ({ status, limit = 100, logPath }) => {
      await using log = await openLog(cli, logPath);
      const talks = await log.conversations(status === undefined ? limit : undefined);
      const shown = talks.filter((talk) => status === undefined || talk.status === status);
      if (cli.isJson) return await cli.out.json(shown.slice(0, limit));
      if (shown.length === 0) await remark(cli, cli.frame.nothingFound);
      for (const { id, startedAt, status: state, topic, damaged } of shown.slice(0, limit)) {
        const why = damaged === undefined ? '' : cli.out.style('red', `  ${oneLine(damaged)}`);
        await cli.out.line(`${id}  ${startedAt}  ${state.padEnd(7)}  ${oneLine(topic)}${why}`);
      }
    });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
