import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { workspaceHere } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta mcp',
  'claude mcp add ptta -- ptta mcp --workspace .',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .option('--workspace <path>', cli.text.workspace, pathValue(cli))
    .action(async ({ workspace }) => {
      await using store = await openMemory(cli, { make: true, fallsBack: true });
      const { serveMemoryStdio } = await import('@vizprompt/memory/mcp');
      await using server = await serveMemoryStdio(store, {
        workspace: workspaceHere(cli, workspace),
        input: cli.stdin,
        output: cli.out.stream,
      });
      // Nothing but messages may go to standard output, so nothing is printed.
      const stopped = new Promise<void>((done) => {
        cli.signal.addEventListener('abort', () => done(), { once: true });
      });
      await Promise.race([server.closed, stopped]);
      cli.stdin.destroy();
    });
}
