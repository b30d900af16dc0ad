import type { MemoryStore } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { ProgressBar } from '../frame/progress-bar.ts';

/** Returns a bar of what the store does, until it is disposed. */
export function showProgress<Messages>(
  cli: Cli<Messages>,
  store: MemoryStore,
  label: string,
): Disposable {
  const bar = new ProgressBar(cli.err, label);
  const stop = store.on('task:progress', ({ done, total }) => bar.update(done, total));
  return {
    [Symbol.dispose]() {
      stop();
      bar.close();
    },
  };
}
