import { CodedError, messageOf } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { dryRun, eraseSpeaker, lint, toMermaid, WorkflowEngine } from '@vizprompt/workflow';
import { expect, it } from 'vitest';

const WRONG: readonly unknown[] = [undefined, null, 7, {}, [], Symbol('x'), () => 'x'];

const FILE = {
  workflows: { ask: { steps: [{ id: 'rest', type: 'sleep', duration: '1ms' }] } },
};

/** The public methods of an engine, however many there come to be. */
const METHODS = Object.getOwnPropertyNames(WorkflowEngine.prototype).filter((name) => {
  const { value }: PropertyDescriptor =
    Object.getOwnPropertyDescriptor(WorkflowEngine.prototype, name) ?? {};
  return typeof value === 'function' && name !== 'constructor' && name !== 'close';
});

const FUNCTIONS = { dryRun, eraseSpeaker, lint, toMermaid };

it('every public method and function answers wrong arguments or refuses them with a code', async () => {
  await using storage = await inMemoryStorage();
  const engine = await WorkflowEngine.open({ storage, files: FILE } as never);
  expect(METHODS).toContain('start');
  const bare: string[] = [];
  const attempt = async (name: string, target: object, args: readonly unknown[]): Promise<void> => {
    try {
      const method: unknown = Reflect.get(target, name);
      if (typeof method === 'function') await Reflect.apply(method, target, args);
    } catch (error) {
      if (error instanceof CodedError) return;
      bare.push(`${name}(${args.map(String).join(', ')}): ${messageOf(error)}`);
    }
  };
  for (const wrong of WRONG) {
    for (const name of METHODS) {
      for (const args of [[wrong], ['ask', wrong], ['ask', {}, wrong]]) {
        await attempt(name, engine, args);
      }
    }
    for (const name of Object.keys(FUNCTIONS)) {
      for (const args of [[wrong], [FILE, wrong], [FILE, 'ask', wrong]]) {
        await attempt(name, FUNCTIONS, args);
      }
    }
    await attempt('open', WorkflowEngine, [wrong]);
  }
  await engine.close();
  expect(bare).toEqual([]);
});
