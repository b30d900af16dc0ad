import type { Readable } from 'node:stream';

/** A file with conversations. */
export interface SourceFile {
  readonly name: string;
  readonly content: Readable;
}
