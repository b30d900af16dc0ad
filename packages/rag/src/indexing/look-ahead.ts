import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { readAhead } from './read-ahead.ts';
import { readDocument } from './read-document.ts';
import type { RefreshTarget } from './refresh-project.ts';
import { scanProject } from './scan-project.ts';

/** The parts that a look ahead works on. */
export type LookAheadTarget = Pick<
  RefreshTarget,
  'project' | 'root' | 'backend' | 'manifest' | 'maxFileBytes'
>;

/**
 * Shows the backend what has changed so far, while it is still waited whether more does. It only saves time:
 * what the index gets is decided by the refresh that follows, which looks at everything itself.
 */
export class LookAhead {
  readonly #target: LookAheadTarget;
  /** The states of files that were shown. */
  readonly #shown = new Map<string, string>();
  #isWanted = false;
  #stop: AbortController | undefined;

  constructor(target: LookAheadTarget) {
    this.#target = target;
  }

  /** Looks what has changed, once more if it is looking; until `stop`. Never rejects. */
  async begin(): Promise<void> {
    this.#isWanted = true;
    if (this.#stop) return;
    const stop = new AbortController();
    const { signal } = stop;
    this.#stop = stop;
    try {
      while (this.#isWanted && !signal.aborted) {
        this.#isWanted = false;
        await this.#target.backend.expectMany?.(this.#changed(signal), { signal });
      }
    } catch {
      // Whatever it is, the refresh meets it too, and tells.
    } finally {
      if (this.#stop === stop) this.#stop = undefined;
    }
  }

  /** The refresh begins. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#isWanted = false;
    this.#shown.clear();
  }

  async *#changed(signal: AbortSignal): AsyncGenerator<SourceDocument> {
    const { project, root, manifest, maxFileBytes } = this.#target;
    const { files } = await scanProject(root, signal);
    const changed = [...files.values()].filter(({ path, version }) => {
      return manifest.entries.get(path)?.version !== version && this.#shown.get(path) !== version;
    });
    const reads = readAhead(changed, ({ path }) => readDocument(root, path, maxFileBytes));
    for await (const [{ path, version }, found] of reads) {
      if (signal.aborted) return;
      this.#shown.set(path, version);
      if (!found || 'problem' in found || found.hash === manifest.entries.get(path)?.hash) continue;
      yield { novelId: project, filePath: path, text: found.text };
    }
  }
}
