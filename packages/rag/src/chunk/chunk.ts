import { createHash } from 'node:crypto';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

/** Where a chunk is in its document: what changes when it moves. */
export interface ChunkPosition {
  /** The line of the first character that is its own (not overlap), from 1. */
  readonly startLine: number;
  /**
   * Where this character is in its line, from 1, in UTF-16 code units, those of a byte order mark left out. Default:
   * not known.
   */
  readonly startColumn?: number | undefined;
  /** The line of the last character. */
  readonly endLine: number;
  /** Its place among the chunks of the document, from 0. */
  readonly chunkIndex: number;
}

/** The fields of a {@link Chunk}. */
export interface ChunkFields extends ChunkPosition {
  /** The heading it is under, or the title of the document. May be empty. */
  readonly title: string;
  /**
   * A verbatim piece of the document, from the first character of its own text to the last; where
   * `overlap` is given, preceded by that many characters that repeat the end of the chunk before.
   */
  readonly content: string;
  /** The path of the document, relative to its project, with `/`. */
  readonly filePath: string;
  /** The project that the document belongs to. */
  readonly novelId: string;
  readonly tags?: readonly string[];
  /**
   * The headings above it, outermost first, the own one last. A strategy cuts very long ones off after
   * 200 characters. Default: the title alone.
   */
  readonly headingPath?: readonly string[];
  /** How many UTF-16 code units at the beginning of `content` repeat the chunk before. Default: 0. */
  readonly overlap?: number;
}

const FIELDS = having('{ title, content, filePath, novelId, … }', 'title', 'content', 'filePath');

/**
 * A piece of a document: what is indexed, ranked and cited. Its id does not depend on where in the
 * file it is, so text that only moved keeps its ids.
 */
export class Chunk implements ChunkFields {
  readonly title: string;
  readonly content: string;
  readonly filePath: string;
  readonly startLine: number;
  readonly startColumn: number | undefined;
  readonly endLine: number;
  readonly chunkIndex: number;
  readonly novelId: string;
  readonly tags: readonly string[];
  readonly headingPath: readonly string[];
  readonly overlap: number;
  /**
   * Which one it is among chunks of the same document with equal heading path, title and content,
   * from 0.
   */
  readonly ordinal: number;
  #hash: string | undefined;

  constructor(fields: ChunkFields, ordinal = 0) {
    checkArgument('the fields of a Chunk', fields, FIELDS);
    this.title = fields.title;
    this.content = fields.content;
    this.filePath = fields.filePath;
    this.startLine = fields.startLine;
    this.startColumn = fields.startColumn;
    this.endLine = fields.endLine;
    this.chunkIndex = fields.chunkIndex;
    this.novelId = fields.novelId;
    this.tags = fields.tags ?? [];
    this.headingPath = fields.headingPath ?? (fields.title === '' ? [] : [fields.title]);
    this.overlap = fields.overlap ?? 0;
    this.ordinal = ordinal;
  }

  /** The content without what repeats the chunk before. */
  get own(): string {
    return this.content.slice(this.overlap);
  }

  /**
   * Where the last character ends in `endLine`: the column of its last UTF-16 code unit, from 1. Absent if `startColumn`
   * is.
   */
  get endColumn(): number | undefined {
    if (this.startColumn === undefined) return undefined;
    const { own } = this;
    const line = Math.max(own.lastIndexOf('\n'), own.lastIndexOf('\r')) + 1;
    const before = line === 0 ? this.startColumn - 1 : 0;
    return Math.max(1, before + own.length - line);
  }

  /** Project, file and headings: `my-novel:contents/01.md#第一章/出会い`. */
  get baseId(): string {
    return `${this.novelId}:${this.filePath}#${this.headingPath.join('/')}`;
  }

  /** The base id with the hash, unique in an index: `…#第一章/出会い@1a2b3c4d`, `…@1a2b3c4d~1`. */
  get id(): string {
    return `${this.baseId}@${this.hash}${this.ordinal === 0 ? '' : `~${this.ordinal}`}`;
  }

  /** The first 8 hexadecimal digits of the MD5 of title and content. */
  get hash(): string {
    this.#hash ??= createHash('md5')
      .update(this.title + this.content)
      .digest('hex')
      .slice(0, 8);
    return this.#hash;
  }
}

/** Returns the position of a chunk alone. */
export function positionOf(chunk: ChunkPosition): ChunkPosition {
  const { startLine, startColumn, endLine, chunkIndex } = chunk;
  return { startLine, startColumn, endLine, chunkIndex };
}

/** Checks whether two chunks are at the same place of their documents. */
export function isSamePosition(a: ChunkPosition, b: ChunkPosition): boolean {
  return (
    a.startLine === b.startLine &&
    a.startColumn === b.startColumn &&
    a.endLine === b.endLine &&
    a.chunkIndex === b.chunkIndex
  );
}
