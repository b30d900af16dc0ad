import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addNode,
  connect,
  disconnect,
  removeNode,
  straightLine,
} from '../../src/flow/flow-graph.ts';
import { flowYamlBytes } from '../../src/flow/flow-file.ts';
import type { Flow } from '../../src/flow/flow.ts';
import { randomRuns } from '../support/open-project.ts';

const ids = Array.from({ length: 24 }, (_, at) => {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
});
const empty: Flow = {
  id: 'ffffffff-0000-4000-8000-000000000000',
  name: '流れ',
  created: '2025-05-07T10:00:00+09:00',
  updated: '2025-05-07T10:00:00+09:00',
  description: '',
  nodes: [],
  connections: [],
};

interface Edit {
  readonly kind: 'add' | 'connect' | 'disconnect' | 'remove' | 'line' | 'renumber' | 'head';
  readonly a: string;
  readonly b: string;
  /** How many versions ago the flow was that it changes. */
  readonly back: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    'add',
    'add',
    'add',
    'connect',
    'disconnect',
    'remove',
    'line',
    'renumber',
    'head',
  ),
  a: fc.constantFrom(...ids),
  b: fc.constantFrom(...ids),
  back: fc.constantFrom(0, 0, 0, 1, 2),
});

function apply(flow: Flow, { kind, a, b }: Edit): Flow {
  const has = (id: string): boolean => flow.nodes.some((node) => node.id === id);
  switch (kind) {
    case 'add':
      return addNode(flow, a, flow.head === undefined ? [] : [flow.head]);
    case 'connect':
      return a < b && has(a) && has(b) ? connect(flow, a, b, '枝: 二') : flow;
    case 'disconnect':
      return disconnect(flow, a, b);
    case 'remove':
      return removeNode(flow, a, true);
    case 'line':
      return straightLine(flow, flow.nodes.map(({ id }) => id).toSorted());
    case 'renumber':
      return { ...flow, nodes: flow.nodes.map(({ id, index }) => ({ id, index: index + 1 })) };
    default:
      return has(a) ? { ...flow, head: a } : flow;
  }
}

describe('the lines of a flow that was written before', () => {
  it('are the bytes of a full write after any edits, whichever version they start from', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 60 }), fc.boolean(), (edits, withIds) => {
        const versions = [empty];
        for (const one of edits) {
          const before = versions.at(-1 - one.back) ?? empty;
          const flow = apply(before, one);
          const bytes = flowYamlBytes(flow, { withIds }, before);
          expect(Buffer.from(bytes).toString()).toBe(fullText(flow, withIds));
          versions.push(flow);
        }
        for (const flow of versions) {
          const bytes = flowYamlBytes(flow, { withIds: !withIds });
          expect(Buffer.from(bytes).toString()).toBe(fullText(flow, !withIds));
        }
      }),
      { numRuns: randomRuns(60) },
    );
  });

  it('belong to the caller: what is done with them changes no later ones', () => {
    const one = addNode(empty, ids[0] ?? '', []);
    const two = addNode(one, ids[1] ?? '', [ids[0] ?? '']);
    flowYamlBytes(one, { withIds: false }).fill(0);
    flowYamlBytes(two, { withIds: false }, one).fill(0);
    const bytes = flowYamlBytes(two, { withIds: false }, one);
    expect(Buffer.from(bytes).toString()).toBe(fullText(two, false));
  });
});

/** Returns the text of a flow without anything that is known of it. */
function fullText(flow: Flow, withIds: boolean): string {
  return Buffer.from(flowYamlBytes(structuredClone(flow), { withIds })).toString();
}
