import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { DbosOptions } from '@vizprompt/workflow/dbos';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** Declares where the runs of workers are. */
export function addDbosOptions(command: CommandUnknownOpts, cli: Cli<VizpromptMessages>): void {
  const { workflow } = cli.text;
  command.option('--url <url>', workflow.url).option('--namespace <name>', workflow.namespace);
}

/** Where the runs of workers are, if they are meant. */
export function dbosGiven(command: CommandUnknownOpts): DbosOptions | undefined {
  const { url, namespace }: { readonly url?: string; readonly namespace?: string } = command.opts();
  return url === undefined ? undefined : { url, ...defined({ namespace }) };
}
