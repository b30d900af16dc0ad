import { type Flow, FlowGraph } from '@vizprompt/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeFlowFiles, mergeFlows } from '../../src/sharing/merge-flows.ts';
import { mergeMetadata, mergeNodeFiles } from '../../src/sharing/merge-node-files.ts';

const FILE = 'flows/00/00.yaml';

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Returns a chain of nodes. */
function chain(length: number): Flow {
  const ids = Array.from({ length }, (_, at) => uuid(at + 1));
  return {
    id: uuid(0),
    name: '話 🐈',
    created: '2026-01-01T00:00:00.000+09:00',
    updated: '2026-01-01T00:00:00.000+09:00',
    description: '',
    head: ids.at(-1) ?? '',
    nodes: ids.map((id, at) => ({ index: at + 1, id })),
    connections: ids.slice(1).map((to, at) => ({ from: ids[at] ?? '', to })),
  };
}

/** A change that one side makes. */
type Edit = { readonly kind: 'add' | 'cut' | 'remove'; readonly at: number };

const edits = fc.array(
  fc.record({ kind: fc.constantFrom<Edit['kind']>('add', 'add', 'cut', 'remove'), at: fc.nat(20) }),
  { maxLength: 6 },
);

function apply(flow: Flow, list: readonly Edit[], first: number, hour: string): Flow {
  let { nodes, connections } = flow;
  for (const [number, { kind, at }] of list.entries()) {
    const node = nodes[at % nodes.length];
    if (!node) continue;
    if (kind === 'add') {
      const added = {
        id: uuid(first + number),
        index: Math.max(...nodes.map(({ index }) => index)) + 1,
      };
      nodes = [...nodes, added];
      connections = [...connections, { from: node.id, to: added.id }];
    } else if (kind === 'cut')
      connections = connections.toSpliced(at % (connections.length || 1), 1);
    else if (nodes.length > 1) {
      nodes = nodes.filter(({ id }) => id !== node.id);
      connections = connections.filter(({ from, to }) => from !== node.id && to !== node.id);
    }
  }
  const head = nodes.at(-1)?.id ?? '';
  return { ...flow, nodes, connections, head, updated: `2026-01-02T${hour}:00:00.000+09:00` };
}

describe('two versions of a flow', () => {
  it('merge to the same in either direction; what either added is there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), edits, edits, (length, a, b) => {
        const base = chain(length);
        const ours = apply(base, a, 100, '01');
        const theirs = apply(base, b, 200, '02');
        const merged = mergeFlows({ base, ours, theirs });
        expect(mergeFlows({ base, ours: theirs, theirs: ours })).toEqual(merged);
        expect(merged.conflicts).toEqual([]);
        const { flow } = merged;
        const ids = new Set(flow.nodes.map(({ id }) => id));
        expect(ids.size).toBe(flow.nodes.length);
        expect(new Set(flow.nodes.map(({ index }) => index)).size).toBe(flow.nodes.length);
        const known = new Set(base.nodes.map(({ id }) => id));
        for (const side of [ours, theirs]) {
          const added = side.nodes.filter(({ id }) => !known.has(id));
          for (const { id } of added) expect(ids).toContain(id);
          const edges = side.connections.filter(({ to }) => !known.has(to));
          expect(flow.connections).toEqual(expect.arrayContaining(edges));
        }
        for (const { from, to } of flow.connections)
          expect(ids.has(from) && ids.has(to)).toBe(true);
        expect(new FlowGraph(flow).findCycle()).toBeUndefined();
        expect(mergeFlows({ base, ours: base, theirs }).flow.nodes).toEqual(theirs.nodes);
      }),
    );
  });

  it('that would close a circle together are a conflict', () => {
    const base = { ...chain(2), connections: [] };
    const [a = '', b = ''] = base.nodes.map(({ id }) => id);
    const ours = { ...base, connections: [{ from: a, to: b }] };
    const theirs = { ...base, connections: [{ from: b, to: a }] };
    expect(mergeFlows({ base, ours, theirs }).conflicts).toEqual(['connections']);
  });
});

describe('flow files', () => {
  const text = (name: string, extra = ''): string =>
    `id: ${uuid(0)}\nname: ${name}\n${extra}nodes: []\nconnections: []\n`;

  it('keep the comments and unknown keys of the side that has new ones', () => {
    const texts = {
      base: text('a'),
      ours: text('b'),
      theirs: text('a', '# 覚え書き\ncolor: red\n'),
    };
    expect(mergeFlowFiles(FILE, texts)).toEqual({
      text: expect.stringMatching(/^id: .*\nname: b\n[^]*# 覚え書き\ncolor: red\n/),
      conflicts: [],
    });
    const { conflicts } = mergeFlowFiles(FILE, { ...texts, ours: text('a', 'color: blue\n') });
    expect(conflicts).toEqual(['comments']);
  });

  it('of two flows are a conflict', () => {
    const theirs = text('b').replace(uuid(0), uuid(1));
    expect(mergeFlowFiles(FILE, { base: undefined, ours: text('a'), theirs }).conflicts).toEqual([
      'id',
    ]);
  });
});

describe('node files', () => {
  const node = (response: string, tags: readonly string[], built: string): string =>
    `<node id="${uuid(1)}" timestamp="2026-01-01T00:00:00+09:00">
<prompt><![CDATA[\n質問\n]]></prompt><response><![CDATA[\n${response}\n]]></response>
<metadata><summary updated="false" last_built="${built}">要約 ${built}</summary>
<tags>${tags.map((tag) => `<tag>${tag}</tag>`).join('')}</tags></metadata></node>`;

  it('take the tags of both and the newer summary, outdated if the text is another', () => {
    const base = node('答え', ['猫', '古い'], '2026-01-01T00:00:00Z');
    const ours = node('新しい答え', ['猫', '犬'], '2026-01-02T00:00:00Z');
    const theirs = node('答え', ['猫', '古い', '鳥'], '2026-01-03T00:00:00Z');
    const merged = mergeNodeFiles('a', { base, ours, theirs }) ?? '';
    expect(merged).toContain('新しい答え');
    expect(merged).toContain('<summary updated="true" last_built="2026-01-03T00:00:00Z">');
    expect(merged).toContain('<tags><tag>猫</tag><tag>犬</tag><tag>鳥</tag></tags>');
    const other = node('別の答え', ['猫'], '2026-01-02T00:00:00Z');
    expect(mergeNodeFiles('a', { base, ours, theirs: other })).toBeUndefined();
  });
});

describe('metadata files', () => {
  it('have the keywords and tags of both', () => {
    const index = (id: number, keywords: string): string =>
      `updated: 2026-01-0${id}\nnodes:\n  ${uuid(id)}:\n    timestamp: t\n    keywords: "${keywords}"\n    summary: s\n`;
    const texts = { base: undefined, ours: index(2, '猫,犬'), theirs: index(1, '鳥,魚') };
    expect(mergeMetadata('x/metadata/index.yaml', texts)).toBe(
      index(1, '鳥,魚').replace('01-01', '01-02') + index(2, '猫,犬').replace(/^[^]*nodes:\n/, ''),
    );
    const tags = (tag: string): string =>
      `updated: 2026-01-01\ntags:\n  ${tag}:\n    - ${uuid(1)}\n`;
    const merged = mergeMetadata('metadata/tags.yaml', {
      base: undefined,
      ours: tags('猫'),
      theirs: tags('犬'),
    });
    expect(merged).toBe(
      `updated: 2026-01-01\ntags:\n  犬:\n    - ${uuid(1)}\n  猫:\n    - ${uuid(1)}\n`,
    );
  });
});
