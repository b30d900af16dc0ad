import { Option } from '@commander-js/extra-typings';
import type { DamagedRecord } from '@vizprompt/memory';
import { EXPORT_OPTIONS } from '@vizprompt/memory/internal';
import { withInput } from '../../frame/input-options.ts';
import { pathValue } from '../../frame/option-values.ts';
import type { CommandModule } from '../../frame/tool.ts';
import { warn } from '../../frame/cli.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { PttaMessages } from '../messages/en.ts';
import { openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

const { path: _path, ...SCOPE } = EXPORT_OPTIONS;

export const exportCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta export --output session_summary.json',
    'ptta export --workspace . --format html --output timeline.html',
    'ptta export --session 01a2016e-283e-7000-8314-1d4ce0ed7030 | ssh other ptta import -',
  ],
  define(command, cli) {
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
  },
};

export const exportFileCommand: CommandModule<PttaMessages> = {
  examples: ['ptta export:file src/auth.ts --output auth_history.json'],
  define(command, cli) {
    command
      .argument('<file_path>', cli.text.file)
      .option('--workspace <path>', cli.text.fileWorkspace, pathValue(cli))
      .option('--output <file>', cli.text.output)
      .action(async (file, { workspace = cli.cwd, output }) => {
        await using store = await openMemory(cli);
        const pieces = store.exportFile(file, { workspace, signal: cli.signal });
        const path = await writeOutput(cli, output, pieces);
        if (path !== undefined) await cli.print({ path }, () => cli.text.written(path));
      });
  },
};
