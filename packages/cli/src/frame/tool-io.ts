import type { Readable, Writable } from 'node:stream';
import type { Interrupts } from './interrupts.ts';

/** A standard input, of which a terminal says so. */
export type InputStream = Readable & { readonly isTTY?: boolean };

/** A standard output or error, of which a terminal says so, with its width. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The environment that a command line runs in: that of this process, or one made for it. */
export interface ToolIo {
  /** The current folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home: string;
  /** Standard input. Node opens that of the process with the first access, so do it late. */
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly interrupts: Interrupts;
}
