import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Argument, type Command } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

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
      const files = [base, ours, theirs].map((file) => resolve(cli.cwd, file));
      for (const file of files) await assertThere(cli, file);
      // Git has told it with its own Ctrl+C already.
      using _ = cli.interrupts.onInterrupt(() => {});
      const child = spawn(process.execPath, [mergeProgram(), kind, ...files, path], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await once(child, 'close');
      const { exitCode, signalCode } = child;
      const result = { path, isMerged: exitCode === 0 };
      if (cli.isJson) await cli.out.json(result);
      if (exitCode === 0) return;
      const message =
        exitCode === null ? cli.text.noMergeProgram(signalCode ?? '') : cli.text.conflictLeft(path);
      throw new CliError('failed', message, { context: { path, exitCode: exitCode ?? 1 } });
    });
}

async function assertThere(cli: Cli<VizpromptMessages>, path: string): Promise<void> {
  try {
    await access(path);
  } catch (error) {
    const message = cli.frame.cannotRead(path, messageOf(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { path } });
  }
}

/** The merge driver of core, which git can also call by itself. */
function mergeProgram(): string {
  const manifest = createRequire(import.meta.url).resolve('@vizprompt/core/package.json');
  return join(dirname(manifest), 'dist', 'vizprompt-merge.js');
}
