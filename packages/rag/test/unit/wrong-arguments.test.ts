import { CodedError, messageOf } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { NovelService } from '../../src/index.ts';
import { NOVEL, openService } from '../support/novel-service.ts';

const WRONG: readonly unknown[] = [undefined, null, 7, {}, [], Symbol('x'), () => 'x'];

/** The public methods of a service, however many there come to be. */
const METHODS = Object.getOwnPropertyNames(NovelService.prototype).filter((name) => {
  const { value }: PropertyDescriptor =
    Object.getOwnPropertyDescriptor(NovelService.prototype, name) ?? {};
  return typeof value === 'function' && name !== 'constructor' && name !== 'close';
});

it('every public method of a service answers wrong arguments or refuses them with a code', async () => {
  const { service } = await openService({ 灯台: NOVEL });
  expect(METHODS).toContain('search');
  const bare: string[] = [];
  for (const name of METHODS) {
    for (const wrong of WRONG) {
      // A watch that is begun continues until it is cancelled.
      const further =
        name === 'watch'
          ? []
          : [
              ['灯台', wrong],
              ['灯台', 'settings', wrong],
            ];
      for (const args of [[wrong], ...further]) {
        try {
          const method: unknown = Reflect.get(service, name);
          // oxlint-disable-next-line no-await-in-loop -- each call has the service to itself
          if (typeof method === 'function') await Reflect.apply(method, service, args);
        } catch (error) {
          if (error instanceof CodedError) continue;
          bare.push(`${name}(${args.map(String).join(', ')}): ${messageOf(error)}`);
        }
      }
    }
  }
  expect(bare).toEqual([]);
});
