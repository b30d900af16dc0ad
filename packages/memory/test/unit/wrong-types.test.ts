import { CodedError, messageOf } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { MemoryStore } from '@vizprompt/memory';
import { newStore } from '../support/open-store.ts';

const WRONG: readonly unknown[] = [undefined, null, 7, {}, [], Symbol('x'), () => 'x'];

/** Returns the public methods of a memory, however many there come to be. */
function methodsOf(store: object): readonly string[] {
  const names = new Set<string>();
  for (
    let type: unknown = Object.getPrototypeOf(store);
    typeof type === 'object' && type !== null && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    for (const name of Object.getOwnPropertyNames(type)) {
      if (typeof Object.getOwnPropertyDescriptor(type, name)?.value === 'function') names.add(name);
    }
  }
  for (const name of ['constructor', 'close']) names.delete(name);
  return [...names];
}

/** Calls a method to the end of what it returns, and gives what it threw. */
async function thrownBy(target: object, name: string, args: readonly unknown[]): Promise<unknown> {
  try {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') return undefined;
    const answer: unknown = await Reflect.apply(method, target, args);
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has what iterables have
      const iterator = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.return?.();
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

it('every public method answers wrong arguments or refuses them with a code', async () => {
  const store = await newStore();
  const { id } = await store.startSession({ workspace: '/w' });
  await store.log(id, 'user_message', { content: 'x' });
  const bare: string[] = [];
  const methods = methodsOf(store);
  expect(methods).toContain('search');
  for (const name of methods) {
    for (const wrong of WRONG) {
      // `follow` waits for events, and `backup` takes its text as the path of a file to write.
      const isAlone = name === 'follow' || name === 'backup';
      const calls = isAlone ? [[wrong]] : [[wrong], [id, wrong], ['/w', 'x', wrong]];
      for (const args of calls) {
        // oxlint-disable-next-line no-await-in-loop -- each call has the store to itself
        const error = await thrownBy(store, name, args);
        if (error === undefined || error instanceof CodedError) continue;
        bare.push(`${name}(${args.map(String).join(', ')}): ${messageOf(error)}`);
      }
    }
  }
  expect(bare).toEqual([]);
});

it.each(WRONG)(
  'MemoryStore.open and its other static methods refuse %s with a code',
  async (wrong) => {
    for (const name of ['open', 'checkFile']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const error = await thrownBy(MemoryStore, name, [wrong]);
      expect(error).toSatisfy((one) => one === undefined || one instanceof CodedError);
    }
  },
);
