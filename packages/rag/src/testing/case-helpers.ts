import assert from 'node:assert/strict';
import type { SearchBackend, SearchHit, SearchOptions } from '../contract/search-backend.ts';
import { Chunk, type ChunkFields } from '../chunk/chunk.ts';
import { RagError, type RagErrorCode } from '../errors.ts';

export const NOVEL = '灯台';

/** Returns a chunk with what the case does not speak of filled in. */
export function chunkOf(fields: Partial<ChunkFields> & { readonly content: string }): Chunk {
  return new Chunk({
    title: '',
    filePath: 'a.md',
    startLine: 1,
    endLine: 1,
    chunkIndex: 0,
    novelId: NOVEL,
    ...fields,
  });
}

/** Writes a document of paragraphs. */
export async function write(
  backend: SearchBackend,
  filePath: string,
  text: string,
  tags: readonly string[] = [],
): Promise<void> {
  await backend.updateFile({ novelId: NOVEL, filePath, text, tags });
}

/** Returns the texts that a query finds, best first. */
export async function textsOf(
  backend: SearchBackend,
  query: string,
  options?: SearchOptions,
): Promise<readonly string[]> {
  return (await backend.search(query, options)).hits.map(({ content }) => content);
}

/** Asserts which texts a query finds, in any order, and that `total` says so too. */
export async function finds(
  backend: SearchBackend,
  query: string,
  expected: readonly string[],
  options?: SearchOptions,
): Promise<void> {
  const { hits, total } = await backend.search(query, options);
  const texts = hits.map(({ content }) => content);
  assert.deepEqual(texts.toSorted(), [...expected].toSorted(), query);
  assert.equal(total, expected.length, `the total of ${query}`);
}

/** Asserts that work fails with a {@link RagError} of one code. */
export async function rejectsWith(
  code: RagErrorCode,
  work: () => Promise<unknown>,
): Promise<RagError> {
  let caught: unknown;
  await assert.rejects(
    async () => work(),
    (error: unknown) => {
      caught = error;
      return true;
    },
  );
  assert.ok(RagError.isInstance(caught), `expected a RagError, got ${String(caught)}`);
  assert.equal(caught.code, code, caught.message);
  return caught;
}

/** All that a backend says to some queries. */
export async function answersOf(
  backend: SearchBackend,
  queries: readonly string[],
): Promise<readonly (readonly SearchHit[])[]> {
  const answers: (readonly SearchHit[])[] = [];
  for (const query of queries) answers.push((await backend.search(query, { k: 50 })).hits);
  return answers;
}
