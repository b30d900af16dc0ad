import {
  VizPrompt,
  VizPromptError,
  type StoredNode,
  type VizPromptErrorCode,
  type VizPromptEvents,
} from '@vizprompt/core';
import type { Storage } from '@vizprompt/providers';
import { expectTypeOf } from 'vitest';

expectTypeOf<VizPrompt>().toExtend<AsyncDisposable>();
expectTypeOf<ReturnType<VizPrompt['createNode']>>().resolves.toEqualTypeOf<StoredNode>();

declare const storage: Storage;
declare const vizprompt: VizPrompt;

export const opened: readonly Promise<VizPrompt>[] = [
  VizPrompt.open('./project'),
  VizPrompt.open('./project', { lockTimeoutMs: 100 }),
  VizPrompt.open({ storage }),
  // @ts-expect-error A project is a folder or a storage.
  VizPrompt.open({}),
  // @ts-expect-error There is only one storage.
  VizPrompt.open('./project', { storage }),
];

vizprompt.on('node:created', ({ node }) => expectTypeOf(node.tags).toExtend<readonly string[]>());
vizprompt.on('import:progress', ({ total }) => {
  expectTypeOf(total).toEqualTypeOf<number | undefined>();
});
// @ts-expect-error There is no such event.
vizprompt.on('node:exploded', () => {});
expectTypeOf<keyof VizPromptEvents>().toExtend<`${string}:${string}`>();

export const calls: readonly Promise<unknown>[] = [
  vizprompt.createNode({ prompt: '猫' }, { flow: null }),
  vizprompt.createNode({ prompt: '猫' }, { after: ['a', 'b'], branchName: '別案' }),
  vizprompt.buildContext({ prompt: '猫', node: ['a', 'b'], pin: ['a'], budget: 4000 }),
  // @ts-expect-error A context is for a prompt.
  vizprompt.buildContext({ flow: 'main' }),
  // @ts-expect-error A node has a prompt.
  vizprompt.createNode({ response: '犬' }),
  // @ts-expect-error There is no such format.
  vizprompt.exportFlow('main', { format: 'pdf' }),
];

// Values that were read cannot be changed in place: `updateNode` does that.
expectTypeOf<StoredNode['promptParts']>().not.toExtend<unknown[]>();

export function codeOf(error: unknown): VizPromptErrorCode | undefined {
  return VizPromptError.isInstance(error) ? error.code : undefined;
}
