import type { CheckReport, Finding, VizPrompt } from '@vizprompt/core';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { Style } from '../../frame/output.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { openProject } from '../open-project.ts';

export const checkCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt check', 'vizprompt check --json | jq .findings'],
  define(command, cli) {
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
  },
};

export const repairCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt repair --dry-run', 'vizprompt repair --keep-missing'],
  define(command, cli) {
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
  },
};

const STYLES: Readonly<Record<Finding['severity'], Style>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};

/** Checks all files of a project. */
async function checkProject(
  cli: Cli<VizpromptMessages>,
  vizprompt: VizPrompt,
): Promise<CheckReport> {
  using bar = new ProgressBar(cli.err, cli.text.checking);
  vizprompt.on('check:progress', ({ done, total }) => bar.update(done, total));
  return await vizprompt.check({ signal: cli.signal });
}

/** Returns a finding on one line, as compilers write theirs. */
function findingLine({ out }: Cli<VizpromptMessages>, finding: Finding): string {
  const { file, line, severity, code, message, repair } = finding;
  const mark = out.style(STYLES[severity], `${severity} ${code}`);
  return `${file}:${line}: ${mark}: ${message}; ${repair.description}`;
}
