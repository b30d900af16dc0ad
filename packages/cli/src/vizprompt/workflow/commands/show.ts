import type { Command } from '@commander-js/extra-typings';
import type { RunState } from '@vizprompt/workflow';
import type { Cli } from '../../../frame/cli.ts';
import type { VizpromptMessages } from '../../messages/vizprompt-messages.ts';
import { addDbosOptions, dbosGiven } from '../dbos-options.ts';
import { outputText } from '../lead-run.ts';
import { openEngine } from '../open-engine.ts';

export const examples: readonly string[] = [
  'vizprompt workflow show 0198c7a2-0000-7000-8000-000000000000',
  'vizprompt workflow show 0198c7a2-0000-7000-8000-000000000000 --html > run.html',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('<run>', text.run)
    .option('--html', text.html)
    .action(async (id, { html = false }) => {
      await using opened = await openEngine(cli, {
        options: { files: [] },
        workers: dbosGiven(command),
      });
      if (html) {
        await cli.out.write(await opened.engine.toHtml(id));
        return;
      }
      const state = await opened.engine.run(id);
      await cli.print(state, () => stateText(cli, state));
    });
  addDbosOptions(command, cli);
}

function stateText({ out, text }: Cli<VizpromptMessages>, state: RunState): string {
  const { id, workflow, status, startedAt, steps, waiting, output, error, damagedRows } = state;
  return [
    `${out.style('bold', workflow)}  ${status}  ${startedAt}  ${id}`,
    ...steps.flatMap((step) => [
      `${out.style('cyan', step.path)}  ${step.model ?? step.type}`,
      indented(step.error ? out.style('red', step.error.message) : outputText(step.output)),
    ]),
    ...waiting.map((one) => `${out.style('bold', text.workflow.asks(one.path))} ${one.question}`),
    ...(output === undefined ? [] : ['', outputText(output)]),
    ...(error ? ['', out.style('red', error.message)] : []),
    ...(damagedRows ?? []).map(({ table, id: row, field, problem }) =>
      out.style('red', `${table} ${row}: ${field}: ${problem}`),
    ),
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
