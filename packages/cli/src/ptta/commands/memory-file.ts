import { resolve } from 'node:path';
import type { CheckReport } from '@vizprompt/memory';
import { StorageError } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { PttaMessages } from '../messages/en.ts';
import { memoryFile, openMemory } from '../open-memory.ts';
import { showProgress } from '../show-progress.ts';

export const backupCommand: CommandModule<PttaMessages> = {
  examples: ['ptta backup ~/backups/ptta-2026-01-31.db'],
  define(command, cli) {
    command.argument('<file>', cli.text.backupFile).action(async (file) => {
      cli.interrupts.endAtOnce();
      const path = resolve(cli.cwd, file);
      await using store = await openMemory(cli);
      await store.backup(path);
      await cli.print({ path }, () => cli.text.written(path));
    });
  },
};

export const checkCommand: CommandModule<PttaMessages> = {
  examples: ['ptta check', 'ptta check ~/backups/ptta.db --json'],
  define(command, cli) {
    command.argument('[file]', cli.text.checkFile).action(async (file) => {
      cli.interrupts.endAtOnce();
      const report = await checked(cli, file);
      const { problems } = report;
      await cli.print(report, () =>
        [
          cli.text.checked(report.sessions, report.events, report.contents),
          ...problems.map(({ code, message }) => `${cli.out.style('red', code)}: ${message}`),
        ].join('\n'),
      );
      if (!report.isOk) throw new CliError('found-problems', cli.text.problems(problems.length));
    });
  },
};

/** A memory that cannot be opened any more is looked at in a copy. */
async function checked(cli: Cli<PttaMessages>, file: string | undefined): Promise<CheckReport> {
  const { MemoryStore } = await import('@vizprompt/memory');
  const { signal } = cli;
  if (file !== undefined) return MemoryStore.checkFile(resolve(cli.cwd, file), { signal });
  try {
    await using store = await openMemory(cli);
    using _ = showProgress(cli, store, cli.text.checking);
    return await store.check({ signal });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'corrupt') throw error;
    return MemoryStore.checkFile(await memoryFile(cli), { signal });
  }
}
