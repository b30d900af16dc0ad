import type { DocumentInterface } from '@langchain/core/documents';
import type { BaseRetriever } from '@langchain/core/retrievers';
import type { JsonValue } from '../json/json-value.ts';
import { omitUndefined } from '../json/fields.ts';
import { toPeerError } from '../peer.ts';
import type { Passage, Retriever } from '../retrieval/retriever.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import { OBJECT, POSITIVE, optional, type Kinds } from '../input/kinds.ts';
import { RETRIEVER } from '../input/part-kinds.ts';

/** Options of {@link langChainRetriever}. */
export interface LangChainRetrieverOptions {
  /** Maximum number of documents. Default: 4. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /** A filter; the documentation of each retriever lists the supported fields. */
  readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The configuration of a call. */
type CallConfig = Parameters<BaseRetriever['invoke']>[1];

/** A passage as LangChain has documents. */
type PassageDocument = DocumentInterface<Record<string, unknown>>;

const KINDS: Kinds<LangChainRetrieverOptions> = {
  limit: optional(POSITIVE),
  k: optional(POSITIVE),
  filter: optional(OBJECT),
};

/**
 * Creates a retriever of LangChain.js from one of this SDK: over novels and notes, an agent's memory, or conversations. The
 * `metadata` of a document has `source` (what can be opened), `kind`, `start`, `end`, `score`, `title`, `time`, and the
 * passage's own fields.
 *
 * Needs `npm install @langchain/core`.
 *
 * @throws PeerError if that package is missing.
 *
 * @example
 * ```ts
 * const retriever = await langChainRetriever(novels.retriever(), { limit: 4 });
 * const documents = await retriever.invoke('猫が鳴いた理由');
 * ```
 */
export async function langChainRetriever(
  retriever: Retriever,
  options: LangChainRetrieverOptions = {},
): Promise<BaseRetriever<Record<string, unknown>>> {
  checkArgument('the retriever of langChainRetriever', retriever, RETRIEVER);
  checkOptions('langChainRetriever', options, KINDS);
  const { limit = 4, k = limit, filter } = options;
  const { Base } = await loadBase();
  class VizPromptRetriever extends Base<Record<string, unknown>> {
    lc_namespace = ['vizprompt', 'retrievers'];
    readonly signal: AbortSignal | undefined = undefined;

    /** Passes the signal of a call on, which the base class keeps to itself. */
    override invoke(query: string, config?: CallConfig): Promise<PassageDocument[]> {
      const call: this = Object.create(this, { signal: { value: config?.signal } });
      return super.invoke.call(call, query, config);
    }

    override async _getRelevantDocuments(query: string): Promise<PassageDocument[]> {
      this.signal?.throwIfAborted();
      const asked = { limit: k, k, filter, ...(this.signal && { signal: this.signal }) };
      return (await retriever.retrieve(query, asked)).map(toDocument);
    }
  }
  return new VizPromptRetriever();
}

function toDocument({ id, text, score, source, title, time, meta }: Passage): PassageDocument {
  const { kind, uri, start, end } = source;
  return {
    id,
    pageContent: text,
    metadata: omitUndefined({ ...meta, source: uri, kind, start, end, score, title, time }),
  };
}

/** @throws PeerError if @langchain/core is not installed. */
async function loadBase(): Promise<{ readonly Base: typeof BaseRetriever }> {
  try {
    const { BaseRetriever: Base } = await import('@langchain/core/retrievers');
    return { Base };
  } catch (error) {
    throw toPeerError(error, '@langchain/core');
  }
}
