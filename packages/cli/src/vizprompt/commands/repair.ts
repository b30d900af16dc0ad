import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';
import { CliError } from '../../errors.ts';
import { checkProject, findingLine } from '../findings.ts';

export const examples: readonly string[] = [
  'vizprompt repair --dry-run',
  'vizprompt repair --keep-missing',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .option('--dry-run', cli.text.options.dryRun)
    .option('--keep-missing', cli.text.options.keepMissing)
    .option('--batch <file>', cli.text.options.batch)
    .action(async ({ dryRun, keepMissing, batch }) => {
      await using vizprompt = await openProject(cli);
      if (batch !== undefined) {
        const files = await vizprompt.restoreBatch(batch);
        return cli.print({ files }, () => files.map((file) => cli.text.wrote(file)).join('\n'));
      }
      const { findings, isHealthy: isWhole } = await checkProject(cli, vizprompt);
      const lines = (of: typeof findings): string[] => of.map((each) => findingLine(cli, each));
      if (dryRun) {
        const shown = lines(findings).join('\n');
        return cli.print({ findings }, () => shown || cli.text.nothingToRepair);
      }
      const report = await vizprompt.repair(findings, {
        missingNodes: keepMissing ? 'keep' : 'remove',
      });
      const { repaired, left, setAside } = report;
      await cli.print(report, () =>
        [
          ...lines(repaired),
          isWhole ? cli.text.nothingToRepair : cli.text.repaired(repaired.length),
          ...setAside.map(({ from, to }) => cli.text.setAside(from, to)),
          ...lines(left),
        ].join('\n'),
      );
      const wrong = left.filter(({ severity }) => severity !== 'info');
      if (wrong.length === 0) return;
      throw new CliError('found-problems', cli.text.notRepaired(wrong.length), {
        context: { findings: wrong.length },
      });
    });
}
