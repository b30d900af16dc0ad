import {
  LLMError,
  TypedEvents,
  type Activity,
  type ChatEvent,
  type ChatModel,
  type Database,
  type EmbeddingModel,
  type JsonObject,
  type LLMErrorCode,
  type Part,
  type Storage,
} from '@vizprompt/providers';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { hashEmbeddings, scriptedModel } from '@vizprompt/providers/testing';
import { expectTypeOf } from 'vitest';

expectTypeOf(scriptedModel).returns.toExtend<ChatModel>();
expectTypeOf(hashEmbeddings).returns.toExtend<EmbeddingModel>();

// One line swaps a laptop for a server.
expectTypeOf(openStorage).returns.resolves.toEqualTypeOf<Storage>();
expectTypeOf(inMemoryStorage).returns.resolves.toEqualTypeOf<Storage>();
expectTypeOf(postgresStorage).returns.resolves.toEqualTypeOf<Storage>();
expectTypeOf<Storage>().toExtend<AsyncDisposable>();

// The kinds of a stream are a union, and no kind is forgotten.
export function lengthOf(event: ChatEvent): number {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return event.text.length;
    case 'tool-call-delta':
      return event.inputDelta.length;
    case 'part':
      expectTypeOf(event.part).toEqualTypeOf<Part>();
      return 0;
    case 'start':
    case 'finish':
      return 0;
    default:
      return event satisfies never;
  }
}

const events = new TypedEvents<{ 'note:written': { readonly id: number } }>();
events.on('note:written', ({ id }) => expectTypeOf(id).toBeNumber());
// @ts-expect-error There is no such event.
events.on('note:read', () => {});
// @ts-expect-error The payload is not that of the event.
events.emit('note:written', { id: 'one' });

// JSON is what survives a file: no dates, no functions, nothing undefined.
expectTypeOf<{ at: Date }>().not.toExtend<JsonObject>();
expectTypeOf<{ run(): void }>().not.toExtend<JsonObject>();
expectTypeOf<{ a: undefined }>().not.toExtend<JsonObject>();
expectTypeOf<{ a: readonly [1, { b: null }] }>().toExtend<JsonObject>();

export function onlyOurs(error: unknown): LLMErrorCode | undefined {
  return LLMError.isInstance(error) ? error.code : undefined;
}

export async function rowsOf(database: Database): Promise<readonly { readonly id: number }[]> {
  const count = await database.transaction(async (tx) => {
    expectTypeOf(tx).not.toHaveProperty('transaction');
    return (await tx.execute('DELETE FROM note')).changes;
  });
  expectTypeOf(count).toBeNumber();
  return database.query<{ readonly id: number }>('SELECT id FROM note');
}

export const shout: Activity<{ text: string }, string> = {
  specVersion: 1,
  name: 'shout',
  run: async ({ text }, { signal }) => (signal.aborted ? '' : text.toUpperCase()),
};

// The example at `Database.transaction`, as it is there.
export async function countUp(database: Database): Promise<number> {
  const next = await database.transaction(async (tx) => {
    const [row] = await tx.query<{ n: number }>('SELECT n FROM counter');
    const n = (row?.n ?? 0) + 1;
    await tx.execute('UPDATE counter SET n = ?', [n]);
    return n;
  });
  return next;
}
