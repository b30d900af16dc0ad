import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { layoutLanes } from '../../src/export/html.ts';
import { toMermaid } from '../../src/export/mermaid.ts';
import { toTextMap } from '../../src/export/text-map.ts';
import { anyFlow, flowOf, hostile, hostileProject } from '../support/export-views.ts';
import { openProject, randomRuns } from '../support/open-project.ts';

/** The parser that Mermaid's hosts use, in the document that it wants. */
interface Mermaid {
  parse(text: string): Promise<unknown>;
  readonly mermaidAPI: {
    getDiagramFromText(text: string): Promise<{
      readonly db: {
        getVertices(): ReadonlyMap<string, { readonly text?: string }>;
        getEdges(): readonly unknown[];
      };
    }>;
  };
}
let mermaid: Mermaid;
beforeAll(async () => {
  const { window } = new JSDOM('');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  mermaid = (await import('mermaid')).default as unknown as Mermaid;
});
afterAll(() => void vi.unstubAllGlobals());

describe('a Mermaid export', () => {
  it('is understood by Mermaid, node for node and edge for edge, whatever the labels', async () => {
    const vizprompt = await hostileProject();
    const text = await vizprompt.exportFlow('main', { format: 'mermaid' });
    await mermaid.parse(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    expect(db.getVertices().size).toBe(hostile.length + 1);
    expect(db.getEdges()).toHaveLength(hostile.length);
    expect(text).toContain('n1 --> n2'.replace(' --> ', ' -->|"plain"| '));
    expect(text.split('\n').filter((line) => line.includes('%%'))).toEqual([]);
  });

  it('shows the signs of a label as they are', async () => {
    const view = flowOf(['a "b" <c> #d'], []);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid(view));
    // Mermaid keeps codes as placeholders until it draws; these mean " " < > #.
    expect(db.getVertices().get('n1')?.text).toBe('1 a ﬂ°°34¶ßbﬂ°°34¶ß ﬂ°°60¶ßcﬂ°°62¶ß ﬂ°°35¶ßd');
  });

  it('stays within what Mermaid draws: straight runs of a large flow are one box', async () => {
    const titles = Array.from({ length: 1200 }, (_, at) => `node ${at} ${'長い題名'.repeat(20)}`);
    const edges = titles.slice(1).map((_, at): [number, number] => [at, at + 1]);
    const text = toMermaid(flowOf(titles, [...edges, [10, 700]]));
    expect(text.length).toBeLessThan(50_000);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    expect(db.getVertices().size).toBe(7);
    expect(db.getEdges()).toHaveLength(7);
    expect(text).toContain('(689)');
  });

  it('shortens labels rather than grow too large', () => {
    const titles = Array.from({ length: 450 }, () => '長い題名'.repeat(20));
    const text = toMermaid(
      flowOf(
        titles,
        titles.slice(1).map((_, at) => [at, at + 1]),
      ),
    );
    expect(text.length).toBeLessThan(50_000);
    expect(text.match(/-->/g)).toHaveLength(449);
    expect(text).not.toContain('left out');
  });

  it.each([
    ['edges', bush(900)],
    [
      'characters',
      flowOf(
        Array.from({ length: 3000 }, () => '#'.repeat(60)),
        [],
      ),
    ],
  ])('with too many %s says what it leaves out, and keeps the way to the head', async (_, view) => {
    const text = toMermaid(view);
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(toMermaid(view)).toBe(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    const shown = db.getVertices().size - 1;
    const { nodes, head = '' } = view.flow;
    expect(text).toContain(`leftOut["${nodes.length - shown} of ${nodes.length} nodes`);
    expect(text.match(/^ *%% .*left out.*$/gm)).toHaveLength(1);
    expect(shown).toBeGreaterThan(300);
    expect(db.getEdges().length).toBeLessThanOrEqual(500);
    for (const id of view.graph.lineTo(head)) {
      expect(db.getVertices().has(`n${nodes.find((node) => node.id === id)?.index}`)).toBe(true);
    }
  });

  it('is understood whatever is said', async () => {
    const property = fc.asyncProperty(anyFlow, async (view) => {
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid(view));
      expect(db.getVertices().size).toBe(view.flow.nodes.length);
      expect(db.getEdges()).toHaveLength(view.flow.connections.length);
    });
    await fc.assert(property, { numRuns: randomRuns(12) });
  });
});

/** Returns a flow that has no straight runs: every node has a child that is a leaf. */
function bush(size: number): ReturnType<typeof flowOf> {
  const titles = Array.from({ length: size }, (_, at) => `node ${at}`);
  return flowOf(
    titles,
    titles.slice(1).map((_, at) => [at % 2 === 0 ? at : at - 1, at + 1]),
  );
}

describe('other exports', () => {
  it('hold everything as JSON', async () => {
    const vizprompt = await hostileProject();
    const json: unknown = JSON.parse(await vizprompt.exportFlow('main', { format: 'json' }));
    const { file: _file, version: _version, ...flow } = await vizprompt.getFlow();
    expect(json).toMatchObject({ format: 'vizprompt-flow', version: 1, flow });
    expect((json as { nodes: { prompt: string }[] }).nodes.map(({ prompt }) => prompt)).toEqual([
      'root',
      ...hostile,
    ]);
  });

  it('are all there in Markdown, whatever a response leaves open', async () => {
    const vizprompt = await openProject();
    const open = [
      '```js',
      '~~~~\n~~~',
      '<!-- a',
      '<script>',
      '<PRE\nx',
      '<?php',
      '<![CDATA[',
      '<!DOCTYPE',
    ];
    for (const response of [...open, ...hostile])
      await vizprompt.createNode({ prompt: '?', response });
    const text = await vizprompt.exportFlow('main', { format: 'markdown' });
    const titles = marked
      .lexer(text)
      .filter((token) => token.type === 'heading' && token.depth === 2);
    expect(titles).toHaveLength(open.length + hostile.length);
  });

  it('name what turns the direction of text in Markdown, and keep it where data is read', async () => {
    const vizprompt = await openProject();
    await vizprompt.createNode({ prompt: 'a \u202e b', response: '```\nx \u2066 y\n```' });
    const text = await vizprompt.exportFlow('main', { format: 'markdown' });
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('> a {U+202E} b');
    expect(text).toContain('x {U+2066} y');
    expect(await vizprompt.exportFlow('main', { format: 'json' })).toContain('a \u202e b');
  });

  it('hold no control characters where people read, and all of them where data is read', async () => {
    const vizprompt = await openProject();
    const said = 'a\0b \u001b[31mred\u009b\u0007 \t猫';
    await vizprompt.createNode({ prompt: said, response: said, speaker: said });
    await vizprompt.updateFlow('main', { name: said, description: said });
    const markdown = await vizprompt.exportFlow('main', { format: 'markdown' });
    expect(markdown).toContain('> a\ufffdb {U+001B}[31mred{U+009B}{U+0007} \t猫');
    const texts = [markdown, await vizprompt.toText('main')];
    for (const format of ['mermaid', 'dot'] as const) {
      texts.push(await vizprompt.exportFlow('main', { format }));
    }
    // oxlint-disable-next-line no-control-regex
    for (const text of texts) expect(text).not.toMatch(/[\0-\u0008\u000e-\u001f\u007f]/);
    const json: unknown = JSON.parse(await vizprompt.exportFlow('main', { format: 'json' }));
    expect(json).toMatchObject({ flow: { name: said }, nodes: [{ prompt: said, response: said }] });
  });

  it('read as a document in Markdown', async () => {
    const vizprompt = await openProject();
    const a = await vizprompt.createNode({
      prompt: '一行目\n二行目',
      response: '**回答**',
      model: 'm',
    });
    await vizprompt.createBranch(
      a.id,
      { prompt: '# 次 <b>', tags: ['タグ'] },
      { branchName: '別案' },
    );
    const text = await vizprompt.exportFlow('main', { format: 'markdown' });
    expect(text).toContain('# main\n\n## 1. 一行目 二行目\n\n');
    expect(text).toContain(
      '> 一行目\n> 二行目\n\n**回答**\n\n## 2. \\# 次 \\<b\\>\n\n← 1 (別案) · ',
    );
    expect(text).toContain(' · \\#タグ\n\n> # 次 <b>\n');
  });
});

describe('a map for terminals', () => {
  it('shows branches, merges, names and the head', () => {
    const view = flowOf(
      ['root', 'left', 'right', 'left 2', 'merge', 'after'],
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [3, 4],
        [2, 4],
        [4, 5],
      ],
    );
    expect(toTextMap(view)).toBe(`● 1 root
├─● 2 left
│ ● 4 left 2
│ ● 5 merge ⇠ 3
│ * 6 after
└─● 3 right
`);
  });

  it('keeps to the width, in columns, and does not steer the terminal', () => {
    const view = flowOf(
      ['日本語の長い題名'.repeat(10), '\u001b[2Jred\u202e', 'x'.repeat(100)],
      [[0, 1]],
    );
    const lines = toTextMap(view, { width: 30 }).split('\n');
    expect(lines[0]).toBe('● 1 日本語の長い題名日本語の…');
    expect(lines[1]).toBe('● 2  [2Jred ');
    expect(lines[2]).toHaveLength(30);
  });

  it('does not mind 12,000 nodes in a row, nor 500 branches', () => {
    const row = Array.from({ length: 12_000 }, (_, at) => `n${at}`);
    const chain = flowOf(
      row,
      row.slice(1).map((_, at) => [at, at + 1]),
    );
    expect(toTextMap(chain).split('\n')).toHaveLength(12_001);
    const deep = row.slice(0, 1000);
    const nested = flowOf(
      deep,
      deep.slice(1).map((_, at) => [at % 2 ? at - 1 : at, at + 1]),
    );
    expect(toTextMap(nested).split('\n')).toHaveLength(1001);
    expect(layoutLanes(nested)).toHaveLength(1000);
  });

  it('is what the terminal is given', async () => {
    const vizprompt = await openProject();
    await vizprompt.createNode({ prompt: '質問' });
    expect(await vizprompt.toText()).toBe('* 1 質問\n');
  });
});

describe('lanes', () => {
  it('belong to one branch all the way down', () => {
    const view = flowOf(
      ['root', 'left', 'right', 'left 1', 'left 2', 'left 2a', 'right 1'],
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [1, 4],
        [4, 5],
        [2, 6],
      ],
    );
    const layout = layoutLanes(view);
    expect(layout.map(({ id, lane }) => [id, lane])).toEqual([
      ['id0', 0],
      ['id1', 0],
      ['id3', 0],
      ['id4', 2],
      ['id5', 2],
      ['id2', 1],
      ['id6', 1],
    ]);
  });

  it('keep branches apart, and are used again', () => {
    const view = flowOf(
      ['root', 'a', 'b', 'a2', 'merge', 'c'],
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [3, 4],
        [2, 4],
        [4, 5],
      ],
    );
    const lanes = Object.fromEntries(layoutLanes(view).map(({ id, lane }) => [id, lane]));
    expect(lanes).toEqual({ id0: 0, id1: 0, id3: 0, id2: 1, id4: 0, id5: 0 });
  });
});
