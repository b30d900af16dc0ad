import { Argument, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import type { CompletionCommand } from './describe-commands.ts';

/** The parts of the completion. */
export interface CompletionSource<Messages> {
  readonly root: Command;
  /** Loads what every command takes. */
  readonly complete: () => Promise<void>;
  readonly cli: Cli<Messages>;
}

/** `ptta completion bash`: a script that knows all commands, and starts no process to complete a word. */
export function defineCompletion<Messages>(
  command: Command,
  { root, complete, cli }: CompletionSource<Messages>,
): void {
  const shell = new Argument('<shell>', cli.frame.completionShell).choices([
    'bash',
    'zsh',
    'fish',
  ] as const);
  command.addArgument(shell).action(async (name) => {
    await complete();
    const { describeCommands } = await import('./describe-commands.ts');
    const commands = describeCommands(root);
    await cli.out.write(await script(name, cli.toolName, commands));
  });
}

async function script(
  shell: 'bash' | 'zsh' | 'fish',
  tool: string,
  commands: readonly CompletionCommand[],
): Promise<string> {
  if (shell === 'bash') return (await import('./bash.ts')).bashCompletion(tool, commands);
  if (shell === 'zsh') return (await import('./zsh.ts')).zshCompletion(tool, commands);
  return (await import('./fish.ts')).fishCompletion(tool, commands);
}
