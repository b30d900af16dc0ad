import { documentKey } from '../contract/document-change.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type { Indexer } from './indexer-client.ts';
import type { NewDocument } from './new-document.ts';
import { toSentChunk } from './sent-document.ts';
import type { Snapshot } from './snapshot.ts';

/** UTF-16 code units of documents that it is shown at most: half of what makes a segment. */
const MAX_SHOWN = 500_000;

/** A process that indexes, started before there is anything to do, and what it was shown of what may come. */
export class PreparedIndexer {
  readonly indexer: Indexer;
  /** What was new of the documents that were shown, while the index was this: */
  readonly #news = new Map<string, NewDocument>();
  #snapshot: Snapshot | undefined;
  #shown = 0;
  /** Whether the documents come now. */
  isTaken = false;

  constructor(indexer: Indexer) {
    this.indexer = indexer;
  }

  /** Whether nothing more is to be shown to it. */
  get hasEnough(): boolean {
    return this.isTaken || this.#shown >= MAX_SHOWN;
  }

  /** Has what is new of documents analysed. Resolves when it is ready to be shown more. */
  async show(documents: readonly NewDocument[]): Promise<void> {
    const chunks = documents.flatMap((document) => document.chunks.map(toSentChunk));
    if (chunks.length > 0) await this.indexer.send({ type: 'foresee', chunks });
  }

  /** Remembers what is new of a document of so many UTF-16 code units. */
  note(snapshot: Snapshot, news: NewDocument, length: number): void {
    if (this.#snapshot !== snapshot) this.#news.clear();
    this.#snapshot = snapshot;
    this.#news.set(documentKey(news), news);
    this.#shown += length;
  }

  /** What is new of a document, if it comes as it was shown and the index is what it was then. */
  newsOf(snapshot: Snapshot, document: DocumentRef, stamp: string): NewDocument | undefined {
    if (this.#snapshot !== snapshot) return undefined;
    const news = this.#news.get(documentKey(document));
    return news?.stamp === stamp ? news : undefined;
  }
}
