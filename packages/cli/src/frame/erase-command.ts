import type { Command } from '@commander-js/extra-typings';
import type { EraseOptions, ErasureReport } from '@vizprompt/providers';
import type { Cli } from './cli.ts';
import { readWord } from './read-input.ts';

/** Stores that a command erases from, each with the report of its own. */
export type EraseStores = (options: EraseOptions) => Promise<readonly ErasureReport[]>;

/** Defines what all commands have in common that erase a person. */
export function defineErase<Messages>(
  command: Command,
  cli: Cli<Messages>,
  erase: EraseStores,
): void {
  const { erase: text } = cli.frame;
  command
    .requiredOption('--speaker <name>', text.speaker)
    .option('--text <text...>', text.text)
    .option('--mentions', text.mentions)
    .option('--dry-run', text.dryRun)
    .action(async ({ speaker, text: given = [], mentions = false, dryRun = false }) => {
      const texts: string[] = [];
      for (const one of given) texts.push(await readWord(cli, one));
      cli.interrupts.endAtOnce();
      const { signal } = cli;
      const reports = await erase({ speaker, texts, mentions, dryRun, signal });
      await printErasure(cli, joined(reports, { speaker, dryRun }));
    });
}

/** Prints what was erased, and what people have to look after. */
export async function printErasure<Messages>(
  cli: Cli<Messages>,
  report: ErasureReport,
): Promise<void> {
  const { erase: text } = cli.frame;
  const { erased, remains, dryRun } = report;
  await cli.print(report, () =>
    [
      ...(erased.length === 0 ? [text.nothing] : [dryRun ? text.planned : text.done]),
      ...erased.map(({ place, count }) => text.place(place, count)),
      text.remains,
      ...remains.map(({ place, count = 0 }) => `  ${text.remainder[place](count)}`),
    ].join('\n'),
  );
}

/** One report of several stores: each place once. */
function joined(
  reports: readonly ErasureReport[],
  { speaker, dryRun }: Pick<ErasureReport, 'dryRun'> & { readonly speaker: string },
): ErasureReport {
  const remains = new Map<string, ErasureReport['remains'][number]>();
  for (const one of reports.flatMap((report) => report.remains)) {
    const count = (remains.get(one.place)?.count ?? 0) + (one.count ?? 0);
    remains.set(one.place, count > 0 ? { ...one, count } : one);
  }
  const erased = new Map<string, number>();
  for (const { place, count } of reports.flatMap((report) => report.erased)) {
    erased.set(place, (erased.get(place) ?? 0) + count);
  }
  return {
    speaker,
    dryRun,
    erased: [...erased].map(([place, count]) => ({ place, count })),
    remains: [...remains.values()],
  };
}
