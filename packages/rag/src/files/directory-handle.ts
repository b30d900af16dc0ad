import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync as fsyncCallback,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '@vizprompt/providers/internal';
import { fileFailure, linkError, pathGone } from './file-failure.ts';

/** Windows has the first one alone; the others are nothing there, see {@link DirectoryHandle.assertUnmoved}. */
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const HANDLES = '/proc/self/fd';
const fsync = promisify(fsyncCallback);

/** Names that are the same for a reader: `ガ` in one code point or in two. */
export type Likeness = 'same' | 'other-form' | 'other-case';

/**
 * A folder that is held while something is done in it. Where the system lets a path begin at an open
 * folder (Linux), whatever happens in it happens in that very folder, even if its name is made to
 * lead elsewhere meanwhile. Elsewhere its identity and its real path are compared before and after,
 * and what was read of another folder is thrown away.
 *
 * Its calls are synchronous but for the waits for the disk: each is faster than a change of thread.
 */
export class DirectoryHandle implements Disposable {
  /** Its name in messages. */
  readonly title: string;
  readonly #path: string;
  readonly #handle: number | undefined;
  readonly #identity: BigIntStats;

  private constructor(
    title: string,
    path: string,
    identity: BigIntStats,
    handle: number | undefined,
  ) {
    this.title = title;
    this.#path = path;
    this.#identity = identity;
    this.#handle = handle;
  }

  /**
   * Opens a folder, the last name of whose path is not a link.
   *
   * @param path - Without links in it.
   * @throws RagError with the code `file-not-found`, or `path-invalid` for a link.
   */
  static open(
    path: string,
    title: string,
    canHold: boolean = existsSync(HANDLES),
  ): DirectoryHandle {
    try {
      return canHold ? openHandle() : openByName();
    } catch (error) {
      if (hasCode(error, 'ENOTDIR', 'ELOOP')) throw explain(path, title, error);
      throw fileFailure(error, title);
    }

    function openHandle(): DirectoryHandle {
      const handle = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        return new DirectoryHandle(title, path, fstatSync(handle, { bigint: true }), handle);
      } catch (error) {
        closeSync(handle);
        throw error;
      }
    }

    function openByName(): DirectoryHandle {
      const identity = lstatSync(path, { bigint: true });
      if (identity.isSymbolicLink()) throw linkError(title);
      if (!identity.isDirectory()) throw pathGone(title, 'it is no folder');
      return new DirectoryHandle(title, path, identity, undefined);
    }
  }

  /** Returns the path of a name in it. */
  at(name: string): string {
    return this.#handle === undefined
      ? join(this.#path, name)
      : `${HANDLES}/${this.#handle}/${name}`;
  }

  /** Opens a folder in it. */
  descend(name: string): DirectoryHandle {
    return DirectoryHandle.open(this.at(name), this.titleOf(name), this.#handle !== undefined);
  }

  /** Returns the name of a file in it for messages. */
  titleOf(name: string): string {
    return this.title === '' ? name : `${this.title}/${name}`;
  }

  /** Lists its entries, links and hidden names among them, in no order. */
  entries(): readonly Dirent[] {
    try {
      const entries = readdirSync(this.at('.'), { withFileTypes: true });
      this.assertUnmoved();
      return entries;
    } catch (error) {
      throw fileFailure(error, this.title);
    }
  }

  /**
   * Returns the entry that a name means: the one that is called so, or else one whose name differs in its
   * normal form alone (as file systems of macOS write it), or else in case alone.
   */
  find(name: string): { readonly name: string; readonly likeness: Likeness } | undefined {
    // Most names are as they are said to be, and then the folder need not be read.
    if (this.#has(name)) return { name, likeness: 'same' };
    const names = this.entries().map((entry) => entry.name);
    const form = name.normalize('NFC');
    const sameForm = names.find((other) => other.normalize('NFC') === form);
    if (sameForm !== undefined) return { name: sameForm, likeness: 'other-form' };
    const folded = foldName(name);
    const sameCase = names.find((other) => foldName(other) === folded);
    return sameCase === undefined ? undefined : { name: sameCase, likeness: 'other-case' };
  }

  /**
   * Returns the entry that is called so, perhaps in another normal form. The system is asked for the list alone, as
   * a name such as `a:b` or `con` may mean something else to it.
   */
  findListed(name: string): string | undefined {
    const names = this.entries().map((entry) => entry.name);
    const form = name.normalize('NFC');
    return (
      names.find((other) => other === name) ?? names.find((one) => one.normalize('NFC') === form)
    );
  }

  /** Makes a folder in it; one that is there already is not an error. */
  async makeFolder(name: string): Promise<void> {
    try {
      this.assertUnmoved();
      mkdirSync(this.at(name));
      await this.sync();
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw fileFailure(error, this.titleOf(name));
    }
  }

  /** Brings the names in it to the disk. Windows has no such call and needs none. */
  async sync(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = this.#handle ?? openSync(this.#path, O_RDONLY);
    try {
      await fsync(handle);
    } finally {
      if (this.#handle === undefined) closeSync(handle);
    }
  }

  /**
   * Where a folder is known by its path alone: that the path still leads to it, and through no link.
   *
   * @throws RagError with the code `path-invalid`.
   */
  assertUnmoved(): void {
    if (this.#handle !== undefined) return;
    const now = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const isSame = now?.dev === this.#identity.dev && now.ino === this.#identity.ino;
    if (!isSame || realpathSync(this.#path) !== this.#path) {
      throw pathGone(this.title, 'it was moved meanwhile');
    }
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #has(name: string): boolean {
    try {
      const isThere = lstatSync(this.at(name), { throwIfNoEntry: false }) !== undefined;
      this.assertUnmoved();
      return isThere;
    } catch (error) {
      throw fileFailure(error, this.titleOf(name));
    }
  }
}

/** A link to a folder and a file in its place fail alike. */
function explain(path: string, title: string, error: unknown): Error {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? linkError(title) : pathGone(title, 'it is no folder', error);
}

/**
 * Returns the common form of two names that are one file on some systems: those that compare names by their
 * letters, whatever the case and the normal form (macOS, Windows). It may hold for a few names that only one
 * of these systems takes for the same, never for names that people distinguish.
 */
export function foldName(name: string): string {
  return Array.from(name.normalize('NFC'), foldCharacter).join('').normalize('NFC');
}

/** One by one, as `toLowerCase` writes the last sigma of a word in another way. */
function foldCharacter(character: string): string {
  // The dotless i is a letter of its own: `kapı` is a door, `kapi` is none.
  return character === 'ı' ? character : character.toUpperCase().toLowerCase();
}
