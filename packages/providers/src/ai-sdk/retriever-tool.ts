import { checkArgument, checkOptions } from '../adapter-kit/check-options.ts';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { type Kinds, OBJECT, optional, POSITIVE, TEXT } from '../input/kinds.ts';
import { RETRIEVER } from '../input/part-kinds.ts';
import { omitUndefined } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isJsonObject } from '../json/json-value.ts';
import type { Passage, Retriever } from '../retrieval/retriever.ts';
import { cutMiddle } from '../strings/cut-middle.ts';

/** Options of {@link retrieverTool}. */
export interface RetrieverToolOptions {
  /** Says what is found, and when to look for it: the model decides by it. */
  readonly description: string;
  /** Maximum number of passages. Default: 5. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /** Maximum number of characters of a passage, which is cut in the middle. Default: 8000. */
  readonly maxCharacters?: number | undefined;
  /** A filter that the model cannot change; the documentation of each retriever lists the supported fields. */
  readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The arguments of the tool. */
export interface RetrieverToolInput {
  readonly query: string;
}

/** A passage as the model receives it. */
interface FoundPassage {
  readonly text: string;
  /** A name to cite the passage by. */
  readonly source: string;
  readonly title?: string;
  /** ISO 8601. */
  readonly time?: string;
}

type Checked =
  | { readonly value: RetrieverToolInput }
  | { readonly issues: readonly { readonly message: string }[] };

/** A tool in the form of the AI SDK, 6 and 7; its schema is one of Standard Schema, so that no package is needed. */
export interface RetrieverTool {
  readonly description: string;
  readonly inputSchema: {
    readonly '~standard': {
      readonly version: 1;
      readonly vendor: string;
      readonly types?: { readonly input: RetrieverToolInput; readonly output: RetrieverToolInput };
      validate(value: unknown): Checked;
      readonly jsonSchema: {
        input(options: unknown): Record<string, unknown>;
        output(options: unknown): Record<string, unknown>;
      };
    };
  };
  execute(
    input: RetrieverToolInput,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<FoundPassage[]>;
}

const KINDS: Kinds<RetrieverToolOptions> = {
  description: TEXT,
  limit: optional(POSITIVE),
  k: optional(POSITIVE),
  maxCharacters: optional(POSITIVE),
  filter: optional(OBJECT),
};

/**
 * Creates a tool of the AI SDK that searches with any retriever: an agent's memory, conversations, novels and notes.
 *
 * @example
 * ```ts
 * const tools = {
 *   recall: retrieverTool(memory.retriever({ user: 'alice' }), { description: 'Finds what was said before' }),
 * };
 * ```
 */
export function retrieverTool(retriever: Retriever, options: RetrieverToolOptions): RetrieverTool {
  checkArgument('the retriever of retrieverTool', retriever, RETRIEVER);
  checkOptions('retrieverTool', options, KINDS);
  const { description, limit = 5, k = limit, filter, maxCharacters = MAX_CHARACTERS } = options;
  return {
    description,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'vizprompt',
        validate: checkInput,
        jsonSchema: { input: inputSchema, output: inputSchema },
      },
    },
    async execute({ query }, { abortSignal: signal } = {}) {
      const search = { query, limit: k, maxCharacters, filter, signal };
      const passages = await findPassages(retriever, search);
      return passages.map(({ text, source, title, time }) => ({
        text,
        source: source.uri,
        ...omitUndefined({ title, time }),
      }));
    },
  };
}

function inputSchema(): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'A question or keywords, in any language' },
    },
    required: ['query'],
    additionalProperties: false,
  };
}

function checkInput(value: unknown): Checked {
  const query = isJsonObject(value) ? value['query'] : undefined;
  return typeof query === 'string'
    ? { value: { query } }
    : { issues: [{ message: 'expected { query }, a string, got something else' }] };
}

/** Characters of a passage unless something else is said. */
export const MAX_CHARACTERS = 8000;

/** A search for a model. */
interface PassageQuery {
  readonly query: string;
  readonly limit: number;
  readonly maxCharacters: number;
  readonly filter: Readonly<Record<string, JsonValue>> | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds the passages for a model with any retriever, also one that does not heed its signal or finds more than it was
 * asked for. Long passages are cut in the middle.
 */
export async function findPassages(
  retriever: Retriever,
  { query, limit, maxCharacters, filter, signal }: PassageQuery,
): Promise<readonly Passage[]> {
  const search = retriever.retrieve(query, { limit, k: limit, filter, signal });
  const found = await untilAborted(search, signal);
  return found.slice(0, limit).map((passage) => {
    const text = cutMiddle(
      passage.text,
      (shown) => shown.length <= maxCharacters,
      (left) => ` … ${left} characters … `,
    );
    return { ...passage, text };
  });
}
