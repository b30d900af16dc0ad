import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Argument, type Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { runProgram } from '../../frame/run-program.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { whyUnreadable } from '@vizprompt/providers/internal';

export const examples: readonly string[] = [
  "git config merge.vizprompt-flow.driver 'vizprompt git-merge flow %O %A %B %P'",
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { args } = cli.text;
  command
    .addArgument(new Argument('<kind>', args.kind).choices(['node', 'flow', 'metadata'] as const))
    .argument('<base>', args.base)
    .argument('<ours>', args.ours)
    .argument('<theirs>', args.theirs)
    .argument('[path]', args.path)
    .action(async (kind, base, ours, theirs, path = ours) => {
      for (const file of [base, ours, theirs]) await assertThere(cli, file);
      const words = [mergeProgram(), kind, base, ours, theirs, path];
      try {
        await runProgram(cli, { file: process.execPath, args: words });
      } catch (error) {
        if (!CliError.isInstance(error) || error.context['exitCode'] !== CONFLICT) throw error;
        throw new CliError('failed', cli.text.conflictLeft(path), {
          cause: error,
          context: { path, exitCode: CONFLICT },
        });
      }
      // Git shows the output of a driver, which should report problems only.
      if (cli.isJson) await cli.out.json({ path, isMerged: true });
    });
}

const CONFLICT = 1;

async function assertThere(cli: Cli<VizpromptMessages>, path: string): Promise<void> {
  try {
    await access(resolve(cli.cwd, path));
  } catch (error) {
    const message = cli.frame.cannotRead(path, whyUnreadable(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { path } });
  }
}

/** Returns the merge driver of core, which git can also call on its own. */
function mergeProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('@vizprompt/core/package.json');
  return join(dirname(manifest), 'dist', 'vizprompt-merge.js');
}
