import {
  FlowGraph,
  VizPromptError,
  type BuiltContext,
  type ContextOptions,
  type VizPrompt,
} from '@vizprompt/core';
import {
  createTokenEstimator,
  loadTokenCounter,
  textOf,
  type TokenCounter,
} from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openProject, randomRuns } from '../support/open-project.ts';

const WORDS = [
  '猫',
  '認証の設定',
  'JWT',
  'token',
  'café',
  '👩‍🚀',
  '\ud83d',
  'مرحبا',
  '\n\n',
  '二つの枝。',
];
const text = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WORDS), { maxLength: max }).map((words) => words.join(' '));

/** A turn, and the turns before it that it continues from, counted back from it. */
const turn = fc.record({
  prompt: text(12),
  response: fc.oneof(text(30), text(400), fc.constant('')),
  back: fc.uniqueArray(fc.nat({ max: 6 }), { minLength: 1, maxLength: 3 }),
});
interface Turn {
  readonly prompt: string;
  readonly response: string;
  readonly back: readonly number[];
}

const places = fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 3 });
const asked = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 24 }),
  prompt: text(8),
  instructions: fc.oneof(fc.constant(''), text(20)),
  budget: fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 400, max: 9000 })),
  pin: places,
  exclude: places,
  references: places,
  isBuilt: fc.boolean(),
  counter: fc.constantFrom('default', 'exact', 'by length', 'more when joined'),
});

const estimator = createTokenEstimator();
const exact = await loadTokenCounter();
const COUNTERS: Readonly<Record<string, TokenCounter>> = {
  default: estimator,
  exact,
  'by length': { count: (of) => ({ tokens: of.length, exact: true }) },
  // No real one does so: pieces of a text cost less than the text.
  'more when joined': {
    count: (of) => ({ tokens: Math.ceil(of.length ** 1.1 / 3), exact: false }),
  },
};

function tokensOf({ messages }: BuiltContext, counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + 4 + counter.count(textOf(message)).tokens, 3);
}

/** Makes a flow of the turns; each prompt begins with its number, as in «3». */
async function makeFlow(
  vizprompt: VizPrompt,
  flow: string,
  turns: readonly Turn[],
): Promise<readonly string[]> {
  await vizprompt.createFlow({ name: flow });
  const ids: string[] = [];
  for (const [at, { prompt, response, back }] of turns.entries()) {
    const after = back.flatMap((steps) => ids[at - 1 - steps] ?? []);
    const node = { prompt: `«${at}» ${prompt}`, response };
    ids.push((await vizprompt.createNode(node, { flow, after })).id);
  }
  return ids;
}

/** Asserts the invariants of every context. */
function assertContext(
  context: BuiltContext,
  { budget = 0, counter = estimator, ...options }: ContextOptions,
  ids: readonly string[],
): void {
  const { report, messages, text: asText } = context;
  expect(report.tokens).toBe(tokensOf(context, counter));
  expect(report.tokens).toBeLessThanOrEqual(budget);
  expect(report.textTokens).toBe(counter.count(asText).tokens);
  expect(report.textTokens).toBeLessThanOrEqual(budget);
  expect(textOf(messages.at(-1)?.parts ?? [])).toBe(options.prompt);
  const { instructions = '' } = options;
  const first = messages.slice(0, instructions === '' ? 0 : 1);
  expect(first.map((message) => `${message.role}: ${textOf(message)}`)).toEqual(
    first.map(() => `system: ${instructions}`),
  );

  const forms = new Map(report.entries.map(({ id, form }) => [id, form]));
  expect(forms.size).toBe(report.entries.length);
  for (const id of options.pin ?? []) expect(forms.get(id)).toBe('full');
  const before = messages.slice(0, -1);
  const said = before.map((message) => textOf(message)).join('\n');
  for (const id of options.exclude ?? []) {
    expect([undefined, 'dropped']).toContain(forms.get(id));
    expect(said).not.toContain(`«${ids.indexOf(id)}»`);
  }
  // Turns in full: each once, in the order of the report.
  const turns = before.flatMap((message) =>
    message.role === 'user' ? (/^«(\d+)»/.exec(textOf(message))?.[1] ?? []) : [],
  );
  const order = report.entries.map(({ id }) => String(ids.indexOf(id)));
  expect(turns).toEqual(order.filter((at) => turns.includes(at)));
  const system = before.findLast(({ role }) => role === 'system');
  const lines = system ? textOf(system).split('\n') : [];
  const marked = ids.map((_, at) => lines.filter((line) => line.includes(`«${at}»`)).length);
  expect(Math.max(0, ...marked)).toBeLessThanOrEqual(1);
}

describe('contexts of random graphs', () => {
  it('are never above their budget, and keep what is pinned', async () => {
    const vizprompt = await openProject();
    const away = await vizprompt.createNode({ prompt: 'away', response: '別' }, { flow: null });
    const seen = { contexts: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async (given) => {
        const flow = `run ${seen.contexts + seen.errors}`;
        const ids = [...(await makeFlow(vizprompt, flow, given.turns)), away.id];
        if (given.isBuilt) await vizprompt.build();
        const nodesAt = (at: readonly number[]): string[] =>
          at.flatMap((place) => ids[place] ?? []);
        const exclude = nodesAt(given.exclude);
        const options: ContextOptions = {
          flow,
          prompt: given.prompt,
          instructions: given.instructions,
          budget: given.budget,
          exclude,
          pin: nodesAt(given.pin).filter((id) => !exclude.includes(id)),
          references: nodesAt(given.references),
          counter: COUNTERS[given.counter] ?? estimator,
          // Flows of other runs have the same marks.
          related: 0,
        };
        const built: unknown = await vizprompt
          .buildContext(options)
          .catch((error: unknown) => error);
        if (!VizPromptError.isInstance(built)) {
          seen.contexts++;
          assertContext(built as BuiltContext, options, ids);
          return;
        }
        seen.errors++;
        const excess = Number(/ tokens by (\d+)$/.exec(built.message)?.[1]);
        const isPrompt = /^the prompt( and the instructions)? exceed/.test(built.message);
        const budget = given.budget + excess;
        const enough = { ...options, budget, ...(isPrompt ? { pin: [] } : {}) };
        assertContext(await vizprompt.buildContext(enough), enough, ids);
        const tooSmall = vizprompt.buildContext({ ...enough, budget: budget - 1 });
        await expect(tooSmall).rejects.toThrow(/ by 1$/);
      }),
      { numRuns: randomRuns(16) },
    );
    expect(Math.min(seen.contexts, seen.errors)).toBeGreaterThan(0);
  });

  it('have each ancestor once, after its parents, and are the same again', async () => {
    const vizprompt = await openProject();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 20 }), async (turns) => {
        const flow = `run ${run++}`;
        const node = (await makeFlow(vizprompt, flow, turns)).at(-1) ?? '';
        const graph = new FlowGraph(await vizprompt.getFlow(flow));
        const options = { flow, prompt: 'JWT 認証 猫', budget: 600 };
        const context = await vizprompt.buildContext(options);
        const ancestors = context.report.entries.filter(({ isAncestor }) => isAncestor);
        const order = ancestors.map(({ id }) => id);
        expect(order.toSorted()).toEqual([...graph.ancestors(node), node].toSorted());
        const placeOf = new Map(order.map((id, place) => [id, place]));
        for (const id of order) {
          for (const parent of graph.parents(id)) {
            expect(placeOf.get(parent)).toBeLessThan(placeOf.get(id) ?? 0);
          }
        }
        const [main] = graph.parents(node);
        const first = main === undefined ? [] : [...graph.ancestors(main), main];
        expect(order.slice(0, first.length).toSorted()).toEqual(first.toSorted());
        expect(await vizprompt.buildContext(options)).toEqual(context);
      }),
      { numRuns: randomRuns(4) },
    );
  });
});
