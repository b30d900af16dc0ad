import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anyString, runs } from '../../../providers/test/support/fuzz.ts';
import type { WorkflowDefinition } from '../../src/definition/workflow-file.ts';
import { toMermaid } from '../../src/diagram/to-mermaid.ts';
import type { RunEvent } from '../../src/events.ts';
import { everything } from '../support/everything.ts';

/** The parser that Mermaid's hosts use, in the document that it wants. */
interface Mermaid {
  parse(text: string): Promise<unknown>;
  readonly mermaidAPI: {
    getDiagramFromText(text: string): Promise<{
      readonly db: {
        getVertices(): ReadonlyMap<
          string,
          { readonly text?: string; readonly classes: readonly string[] }
        >;
        getEdges(): readonly {
          readonly start: string;
          readonly end: string;
          readonly text: string;
        }[];
        getSubGraphs(): readonly {
          readonly id: string;
          readonly title: string;
          readonly classes: readonly string[];
        }[];
      };
    }>;
  };
}

let mermaid: Mermaid;
// Other tests share this process, and SDKs refuse to run in what looks like a browser.
afterAll(() => void vi.unstubAllGlobals());
beforeAll(async () => {
  const { window } = new JSDOM('');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  mermaid = (await import('mermaid')).default as unknown as Mermaid;
  await mermaid.parse('flowchart TD\n  a --> b');
});

const all = everything.workflows?.['all'] ?? { steps: [] };

describe('a diagram', () => {
  it('is understood by Mermaid, with a box for each step and agent', async () => {
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid(all));
    const frames = db.getSubGraphs().map(({ title }) => title.split(':')[0]);
    expect(new Set(frames)).toEqual(
      new Set([
        'best',
        'concat',
        'each',
        'first',
        'loop',
        'many',
        'merged',
        'team',
        'parallel',
        'votes',
        'weighted',
      ]),
    );
    const labels = [...db.getVertices().values()].map(({ text = '' }) => text);
    for (const label of ['start', 'end', 'look: documents', 'sub: other', 'count: count', 'ask']) {
      expect(labels).toContain(label);
    }
    const edges = db.getEdges().map(({ start, end, text }) => [start, end, text]);
    expect(edges).toContainEqual(['start', 'n1', '']);
    expect(edges).toContainEqual(['n2', 'n11', 'error']);
    expect(edges).toContainEqual(['n11', 'done', 'else']);
  });

  it('shows a run on the steps', async () => {
    const at = { runId: 'r', at: '2026-01-01T00:00:00Z' };
    const step = (stepId: string): RunEvent & { type: 'step:started' } => ({
      type: 'step:started',
      ...at,
      path: `${stepId}#1`,
      stepId,
      stepType: 'function',
    });
    const run: RunEvent[] = [
      { type: 'run:started', ...at, workflow: 'all', isResumed: false },
      { ...step('agent'), type: 'step:skipped' },
      step('many'),
      { ...step('many'), type: 'step:ended', output: null, isReplayed: false, ms: 1 },
      step('wait'),
      { ...step('ask'), type: 'step:waiting', question: '?' },
      {
        ...step('tool'),
        type: 'step:failed',
        error: { name: 'E', code: 'x', message: '', context: {} },
      },
    ];
    const classes = async (
      events: Iterable<RunEvent>,
    ): Promise<Record<string, readonly string[]>> => {
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid(all, { run: events }));
      const boxes = [...db.getVertices().values()].map(
        ({ text = '', classes: own }): [string, readonly string[]] => [text, own],
      );
      const frames = db
        .getSubGraphs()
        .map(({ title, classes: own }): [string, readonly string[]] => [title, own]);
      return Object.fromEntries([...boxes, ...frames].filter(([, own]) => own.length > 0));
    };
    const shown = {
      'many: judge': ['done'],
      'tool: weather': ['failed'],
      ask: ['waiting'],
      'wait: 1s': ['running'],
    };
    expect(await classes(run)).toMatchObject(shown);
    expect(new Set(Object.values(await classes(run)).flat())).toEqual(
      new Set(['done', 'failed', 'running', 'skipped', 'waiting']),
    );
    const ended: RunEvent = { type: 'run:ended', ...at, status: 'cancelled' };
    expect(await classes([...run, ended])).toMatchObject({
      ...shown,
      ask: ['failed'],
      'wait: 1s': ['failed'],
    });
    const states = new Map([['tool', 'running' as const]]);
    expect(toMermaid(all, { run: states })).toContain('running');
  });

  it('shows a branch on which a run certainly was', async () => {
    const steps: WorkflowDefinition['steps'] = [
      { id: 'draft', type: 'function', function: 'f' },
      {
        id: 'good',
        type: 'branch',
        branches: [{ when: 'x', next_step: 'end' }],
        else: 'long',
      },
      { id: 'long', type: 'branch', branches: [{ when: 'x', next_step: 'cut' }], else: 'mend' },
      { id: 'cut', type: 'function', function: 'f', next_step: 'draft' },
      {
        id: 'mend',
        type: 'loop',
        maxRounds: 2,
        steps: [
          { id: 'inner', type: 'branch', branches: [{ when: 'x', next_step: 'end' }] },
          { id: 'work', type: 'function', function: 'f' },
        ],
      },
    ];
    const coloured = async (status: string, ...ids: string[]): Promise<readonly string[]> => {
      const run = { status, steps: ids.map((stepId) => ({ stepId })), waiting: [] };
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid({ steps }, { run }));
      const boxes = [...db.getVertices().values()];
      return boxes.filter((box) => box.classes.includes('done')).map(({ text = '' }) => text);
    };
    const f = (id: string): string => `${id}: f`;
    expect(await coloured('running')).toEqual([]);
    expect(await coloured('running', 'draft')).toEqual([f('draft')]);
    expect(await coloured('done', 'draft')).toEqual([f('draft'), 'good']);
    expect(await coloured('running', 'draft', 'cut')).toEqual([
      f('draft'),
      'good',
      'long',
      f('cut'),
    ]);
    const passed = [f('draft'), 'good', 'long', 'inner', f('work')];
    expect(await coloured('failed', 'draft', 'work')).toEqual(passed);
    const [draft, good, ...rest] = steps.map((step) => ({ ...step, when: 'x' }));
    const conditional = { steps: draft && good ? [draft, good, ...rest] : [] };
    const done = { status: 'done', steps: [{ stepId: 'draft' }], waiting: [] };
    expect(toMermaid(conditional, { run: done })).toMatch(/class n1 done/);
    const event = { runId: 'r', at: '2026-01-01T00:00:00Z', path: 'draft#1', stepId: 'draft' };
    const ended: RunEvent[] = [
      { type: 'step:started', ...event, stepType: 'function' },
      { type: 'step:ended', ...event, output: null, isReplayed: false, ms: 1 },
      { type: 'run:ended', runId: 'r', at: event.at, status: 'done', output: null },
    ];
    expect(toMermaid({ steps }, { run: ended })).toMatch(/class n1,n2 done/);
    expect(toMermaid({ steps }, { run: ended.slice(0, 2) })).toMatch(/class n1 done/);
  });

  it('is understood whatever ids and conditions hold', async () => {
    const text = fc.oneof(
      anyString({ minLength: 1, maxLength: 20 }),
      fc.constantFrom(
        '"',
        '"]',
        '#quot;',
        '`',
        'end',
        'end\n',
        'graph',
        '%%',
        'fa:fa-cat',
        '猫"犬',
        '-->',
        '|x|',
        '\ud800',
        '\u0000',
        '\u202e',
        '<b>',
        '&amp;',
        ';',
        '{}',
        '$$x$$',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 2, maxLength: 5 }), async (ids) => {
        const [first = '', ...others] = ids;
        const workflow: WorkflowDefinition = {
          steps: [
            {
              id: first,
              type: 'branch',
              branches: others.map((id) => ({ when: id, next_step: id })),
            },
            ...others.map((id) => ({ id, type: 'function' as const, function: id, when: id })),
          ],
        };
        const { db } = await mermaid.mermaidAPI.getDiagramFromText(toMermaid(workflow));
        expect(db.getVertices().size).toBe(ids.length + 2);
        expect(db.getEdges()).toHaveLength(1 + others.length + 1 + others.length);
      }),
      { numRuns: runs(30) },
    );
  });

  it('stays within what Mermaid draws', async () => {
    const steps = Array.from({ length: 5000 }, (_, at) => ({
      id: `${at}${'長'.repeat(70)}`,
      type: 'sleep' as const,
      duration: 1,
    }));
    const text = toMermaid({ steps });
    expect(text.length).toBeLessThan(50_000);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    expect(db.getEdges().length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/\d+ of 5000 steps are left out/);
  });
});
