import { Argument, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';

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
    const { completionScript } = await import('./completion-script.ts');
    await cli.out.write(completionScript(name, cli.toolName, root));
  });
}
