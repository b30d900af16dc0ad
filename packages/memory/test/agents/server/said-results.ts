import { readFileSync, statSync } from 'node:fs';

/** A saved output that is larger is none of a scene. */
const MAX_BYTES = 16 << 20;

/**
 * The results of tools as an agent gave them to its model, with the files that they name: agents save long outputs there.
 * A command may print more: agents cut outputs, and some lose the end of one.
 */
export class SaidResults {
  readonly #texts = new Set<string>();
  /** Contents of files when the model got their path: some agents delete them later. */
  readonly #files = new Map<string, string>();

  /** Adds a result. Requests repeat those of requests before. */
  add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    for (const path of pathsIn(text)) {
      const content = contentOf(path);
      if (content !== undefined) this.#files.set(path, content);
    }
  }

  /**
   * Returns the lines of all results and their files; none if the model got no result.
   *
   * @param options.isLive - True for those of files that are deleted by now, too: only hooks have seen them.
   */
  lines({ isLive }: { readonly isLive: boolean }): ReadonlySet<string> {
    const files = [...this.#files].flatMap(([path, content]) => [
      ...(isLive ? [content] : []),
      contentOf(path) ?? '',
    ]);
    return new Set([...this.#texts, ...files].flatMap(linesOf));
  }
}

/**
 * Returns the lines of a text, which may be a string in JSON, and that one a string in JSON again. A label such as
 * `Output: ` is a line of its own.
 */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\\[nr]|[\n\r"\\]|: /)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/\/[^\s"'<>\\]*/g)].map(([path]) => path.replace(/[).,:;]$/, ''));
}

function contentOf(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
