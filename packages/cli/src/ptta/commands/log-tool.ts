import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { wholeNumber } from '../../frame/option-values.ts';
import { readJson } from '../../frame/read-input.ts';
import { logEvent } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  `ptta log:tool Bash --params '{"command":"npm test"}' --result '"12 passed"' --duration 4210`,
  `ptta log:tool Read --params - < parameters.json`,
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<tool_name>', cli.text.tool)
    .requiredOption('--params <json>', cli.text.params)
    .option('--result <json>', cli.text.result)
    .option('--duration <ms>', cli.text.duration, wholeNumber(cli))
    .option('--failed', cli.text.toolFailed)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (tool, { params, result, duration, failed, ...options }) => {
      const parameters = await readJson(cli, '--params', params);
      await logEvent(cli, options, 'tool_use', {
        tool,
        parameters,
        ...(result === undefined ? {} : { result: await readJson(cli, '--result', result) }),
        ...(duration === undefined ? {} : { duration_ms: duration }),
        ...(failed === undefined ? {} : { success: false }),
      });
    });
}
