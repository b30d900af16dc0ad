import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { ProgressBar } from '../../frame/progress-bar.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';

export const examples: readonly string[] = ['dialogoi dictionary --out ./ipadic.bin'];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  command.requiredOption('--out <file>', cli.text.dictionary.out).action(async ({ out }) => {
    const { compactAnalyzer } = await import('@vizprompt/rag');
    using bar = new ProgressBar(cli.err, out);
    const { id } = await compactAnalyzer({
      dictionary: out,
      signal: cli.signal,
      onProgress: (share) => bar.update(Math.round(share * 100), 100),
    });
    bar.close();
    await cli.print({ file: out, id }, () => cli.text.dictionary.written(out));
  });
}
