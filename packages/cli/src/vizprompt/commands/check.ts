import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { CliError } from '../../errors.ts';
import { checkProject, findingLine } from '../findings.ts';

export const examples: readonly string[] = [
  'vizprompt check',
  'vizprompt check --json | jq .findings',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command.action(async () => {
    await using vizprompt = await openProject(cli, { onlyReads: true });
    const report = await checkProject(cli, vizprompt);
    const { findings, nodes, flows, isHealthy } = report;
    await cli.print(report, () =>
      [
        ...findings.map((finding) => findingLine(cli, finding)),
        ...(isHealthy ? [cli.text.healthy(nodes, flows)] : []),
      ].join('\n'),
    );
    if (isHealthy) return;
    const wrong = findings.filter(({ severity }) => severity !== 'info');
    throw new CliError('found-problems', cli.text.found(wrong.length), {
      context: { findings: wrong.length },
    });
  });
}
