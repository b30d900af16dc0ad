import type { DamagedRecord } from '@vizprompt/memory';
import { Option, type Command } from '@commander-js/extra-typings';
import { EXPORT_OPTIONS } from '@vizprompt/memory/internal';
import type { Cli } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { warn } from '../../frame/warn.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

export const examples: readonly string[] = [
  'ptta export --output session_summary.json',
  'ptta export --workspace . --format html --output timeline.html',
  'ptta export --session 01a2016e-283e-7000-8314-1d4ce0ed7030 | ssh other ptta import -',
];

const { path: _path, ...SCOPE } = EXPORT_OPTIONS;

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const formats = new Option('--format <format>', cli.text.exportFormat);
  withInput(command, cli, SCOPE)
    .addOption(formats.choices(['json', 'html'] as const).default('json' as const))
    .option('--output <file>', cli.text.output)
    .action(async ({ format, output, ...scope }) => {
      await using store = await openMemory(cli);
      using _ = showProgress(cli, store, cli.text.exporting);
      const damaged: DamagedRecord[] = [];
      const onDamaged = (one: DamagedRecord): unknown => damaged.push(one);
      const options = { ...scope, onDamaged, signal: cli.signal };
      const pieces = format === 'html' ? store.exportHtml(options) : store.exportJson(options);
      const path = await writeOutput(cli, output, pieces);
      const [first] = damaged;
      if (first) await warn(cli, cli.text.notExported(damaged.length, first.problem));
      if (path !== undefined) await cli.print({ path }, () => cli.text.written(path));
    });
}
