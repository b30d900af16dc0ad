import { Buffer } from 'node:buffer';
import type { EmbeddedBatch } from '../adapter-kit/embed-batches.ts';
import { fieldsOf, isRecord, listOf, numberOf, type Fields } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';

/** A vector, and the number that the server gave it. */
interface Numbered {
  readonly index: number | undefined;
  readonly vector: readonly unknown[];
}

/**
 * Reads the vectors of an answer, in the order of their texts: from `data` and the other places where servers have them,
 * as numbers or in base64, numbered from 0, from 1, all alike or not at all.
 *
 * Sources: openai-node#1542, mcp-memory-service#612, llama.cpp, TEI, DashScope, Xinference.
 */
export function readVectors(answer: unknown): EmbeddedBatch['vectors'] {
  return inOrder(entriesOf(answer).map(readEntry));
}

function entriesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  const { data, embeddings, output, result, embedding, ...others } = fieldsOf(answer);
  const lists = [data, embeddings, fieldsOf(output)['embeddings'], fieldsOf(result)['data']];
  for (const list of [...lists, others['vectors'], others['results'], others['predictions']]) {
    if (Array.isArray(list)) return list;
  }
  if (isRecord(data) && Object.keys(data).every((key) => /^\d+$/.test(key)))
    return Object.values(data);
  if (isRecord(embeddings) && Array.isArray(embeddings['float'])) return embeddings['float'];
  return embedding === undefined ? [] : [{ embedding }];
}

function readEntry(entry: unknown): Numbered {
  if (Array.isArray(entry) || typeof entry === 'string')
    return { index: undefined, vector: numbersIn(entry) };
  const fields = fieldsOf(entry);
  const place = fields['index'] ?? fields['text_index'];
  const index =
    numberOf(place) ??
    (typeof place === 'string' && /^\d+$/.test(place) ? Number(place) : undefined);
  return { index, vector: numbersIn(vectorIn(fields)) };
}

function numbersIn(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return fromBase64(value);
  if (isRecord(value)) return numbersIn(vectorIn(value));
  if (!Array.isArray(value)) throw notVectors('one is no list');
  const list: readonly unknown[] = value;
  // One row in a matrix, as llama.cpp has it.
  return list.length === 1 && Array.isArray(list[0]) ? listOf(list[0]) : list;
}

/** The names that servers have for a vector. */
const VECTORS = ['embedding', 'vector', 'values', 'float', 'embeddings', 'dense'];

function vectorIn(fields: Fields): unknown {
  return VECTORS.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
}

/** Numbers of 32 bits, the lowest byte first. */
function fromBase64(text: string): readonly number[] {
  const bytes = Buffer.from(text, 'base64');
  const isBase64 =
    /^[A-Za-z0-9+/_-][A-Za-z0-9+/_-]*={0,2}$/.test(text) &&
    bytes.length > 0 &&
    bytes.length % 4 === 0;
  if (!isBase64) throw notVectors('one is a text that is not base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** Vectors carry the number of their text, and may come in any order. */
function inOrder(entries: readonly Numbered[]): EmbeddedBatch['vectors'] {
  const numbers = entries.map(({ index }) => index);
  const [first] = numbers;
  // Numbers that distinguish nothing, or none.
  if (first === undefined || numbers.every((number) => number === first)) {
    return entries.map(({ vector }) => vector);
  }
  const start = numbers.includes(0) ? 0 : 1;
  const vectors: (readonly unknown[])[] = [];
  for (const { index, vector } of entries) {
    const place = (index ?? -1) - start;
    if (place < 0 || place >= entries.length)
      throw notVectors(`one is for text ${index ?? 'without a number'}`);
    if (vectors[place] !== undefined) throw notVectors(`two are for text ${index ?? ''}`);
    vectors[place] = vector;
  }
  return vectors;
}

function notVectors(problem: string): LLMError {
  return new LLMError('bad_response', `the vectors are not what was asked for: ${problem}`);
}
