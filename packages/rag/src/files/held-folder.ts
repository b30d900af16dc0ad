import { constants, existsSync, type BigIntStats, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFailure, hasErrorCode, linkError, pathGone } from './file-failure.ts';

/** Windows has the first one alone; the others are nothing there, see {@link HeldFolder.assertUnmoved}. */
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const HANDLES = '/proc/self/fd';

/** Names that are the same for whoever reads them: `ガ` in one code point or in two. */
export type Likeness = 'same' | 'other-form' | 'other-case';

/**
 * A folder that is held while something is done in it. Where the system lets a path begin at an open
 * folder (Linux), whatever happens in it happens in that very folder, even if its name is made to
 * lead elsewhere meanwhile. Elsewhere its identity and its real path are compared before and after,
 * and what was read of another folder is thrown away.
 */
export class HeldFolder implements AsyncDisposable {
  /** What it is called in messages. */
  readonly title: string;
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  readonly #identity: BigIntStats;

  private constructor(
    title: string,
    path: string,
    identity: BigIntStats,
    handle: FileHandle | undefined,
  ) {
    this.title = title;
    this.#path = path;
    this.#identity = identity;
    this.#handle = handle;
  }

  /**
   * Opens a folder, the last name of whose path is no link.
   *
   * @param path - Without links in it.
   * @throws RagError with the code `file-not-found`, or `path-invalid` for a link.
   */
  static async open(
    path: string,
    title: string,
    canHold: boolean = existsSync(HANDLES),
  ): Promise<HeldFolder> {
    try {
      if (!canHold) return await openByName(path, title);
      const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        const identity = await handle.stat({ bigint: true });
        return new HeldFolder(title, path, identity, handle);
      } catch (error) {
        await handle.close();
        throw error;
      }
    } catch (error) {
      if (hasErrorCode(error, 'ENOTDIR', 'ELOOP')) throw await explain(path, title, error);
      throw fileFailure(error, title);
    }

    async function openByName(byName: string, name: string): Promise<HeldFolder> {
      const identity = await lstat(byName, { bigint: true });
      if (identity.isSymbolicLink()) throw linkError(name);
      if (!identity.isDirectory()) throw pathGone(name, 'it is no folder');
      return new HeldFolder(name, byName, identity, undefined);
    }
  }

  /** The path of a name in it. */
  at(name: string): string {
    return this.#handle ? `${HANDLES}/${this.#handle.fd}/${name}` : join(this.#path, name);
  }

  /** Opens a folder in it. */
  descend(name: string): Promise<HeldFolder> {
    return HeldFolder.open(this.at(name), this.titleOf(name), this.#handle !== undefined);
  }

  /** What a name in it is called in messages. */
  titleOf(name: string): string {
    return this.title === '' ? name : `${this.title}/${name}`;
  }

  /** What lies in it, links and hidden names among it, in no order. */
  async entries(): Promise<readonly Dirent[]> {
    try {
      const entries = await readdir(this.at('.'), { withFileTypes: true });
      await this.assertUnmoved();
      return entries;
    } catch (error) {
      throw fileFailure(error, this.title);
    }
  }

  /**
   * The entry that a name means: the one that is called so, or else one whose name differs in its
   * normal form alone (as file systems of macOS write it), or else in case alone.
   */
  async find(
    name: string,
  ): Promise<{ readonly name: string; readonly likeness: Likeness } | undefined> {
    const names = (await this.entries()).map((entry) => entry.name);
    if (names.includes(name)) return { name, likeness: 'same' };
    const form = name.normalize('NFC');
    const sameForm = names.find((other) => other.normalize('NFC') === form);
    if (sameForm !== undefined) return { name: sameForm, likeness: 'other-form' };
    const folded = form.toLowerCase();
    const sameCase = names.find((other) => other.normalize('NFC').toLowerCase() === folded);
    return sameCase === undefined ? undefined : { name: sameCase, likeness: 'other-case' };
  }

  /** Makes a folder in it; one that is there already is no error. */
  async makeFolder(name: string): Promise<void> {
    try {
      await this.assertUnmoved();
      await mkdir(this.at(name));
      await this.sync();
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw fileFailure(error, this.titleOf(name));
    }
  }

  /** Brings the names in it to the disk. Windows has no such call and needs none. */
  async sync(): Promise<void> {
    if (process.platform === 'win32') return;
    if (this.#handle) return this.#handle.sync();
    const handle = await open(this.#path, O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /**
   * Where a folder is known by its path alone: that the path still leads to it, and through no link.
   *
   * @throws RagError with the code `path-invalid`.
   */
  async assertUnmoved(): Promise<void> {
    if (this.#handle) return;
    const now = await lstat(this.#path, { bigint: true }).catch(() => undefined);
    const isSame = now?.dev === this.#identity.dev && now.ino === this.#identity.ino;
    if (!isSame || (await realpath(this.#path)) !== this.#path) {
      throw pathGone(this.title, 'it was moved meanwhile');
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A link to a folder and a file in its place fail alike. */
async function explain(path: string, title: string, error: unknown): Promise<Error> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ? linkError(title) : pathGone(title, 'it is no folder', error);
}
