import { createTokenEstimator } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { FlowFiles } from '../graph/flow-files.ts';
import type { Project } from '../project/project.ts';
import { type ContextOptions, DEFAULT_BUDGET, type BuiltContext } from './context-options.ts';
import { plan, planAll, type PlanInput, planTail, turnOf } from './plan.ts';
import { Meter, Price } from './price.ts';
import { findRelated } from './related.ts';
import { findRelevance, queryOf } from './relevance.ts';
import { costOfEverything, costOfRelated, reportAttachments, reportEntries } from './report.ts';
import { Bodies, findScene, Naming, type Scene } from './scene.ts';
import {
  type Draft,
  NO_TAIL,
  PHRASES,
  type Turn,
  writeMessages,
  writeText,
  type Writing,
} from './write-context.ts';

/**
 * Builds a context that is never above its budget.
 *
 * @throws VizPromptError with the code `invalid-input` if prompt, instructions and pins alone are above it,
 * `flow-not-found` or `node-not-found`; what `signal` says.
 */
export async function buildContext(
  project: Project,
  flows: FlowFiles,
  options: ContextOptions,
): Promise<BuiltContext> {
  const { prompt, instructions = '', signal, detailHint = true } = options;
  const { budgetTokens = DEFAULT_BUDGET, budget = budgetTokens } = options;
  if (!Number.isSafeInteger(budget) || budget < 1) {
    throw new VizPromptError(
      'invalid-input',
      `'budgetTokens: ${budget}' is no whole number from 1 on`,
    );
  }
  signal?.throwIfAborted();
  const scene = await findScene(project, flows, options);
  signal?.throwIfAborted();
  const meter = new Meter(options.counter ?? createTokenEstimator());
  const phrases = PHRASES[scene.language];
  const price = new Price(meter, phrases);
  const bodies = new Bodies(project);
  const naming = new Naming([...scene.ancestors, ...scene.others], options.speaker);
  const asking = naming.current(prompt, options.speaker);
  const writing: Writing = { prompt: asking, instructions, phrases, detailHint };

  const pinned = await readPins(scene, bodies, naming);
  const least = measure({ ...EMPTY, ...pinned }, writing, meter);
  const asked = ['the prompt', ...(instructions === '' ? [] : ['the instructions'])];
  assertFits(least, budget, measure(EMPTY, writing, meter), asked, scene.pinned.size);
  const relevance = await findRelevance(project, scene, bodies, options);
  const letters = scene.others.length + relevance.passages.length;
  const related = await findRelated(project, scene, bodies, options, letters);
  signal?.throwIfAborted();

  const input = {
    project,
    scene,
    relevance,
    query: queryOf(prompt),
    related,
    bodies,
    naming,
    price,
    pinned,
    budget,
  };
  const whole = await findWhole(input, writing, meter);
  const isTextShort = whole !== undefined && whole.measured.textTokens <= budget;
  const planned = isTextShort ? whole : await planWithin(input, writing, meter, least.most, signal);
  const { draft, measured } = whole ? await addTail(input, whole, writing, meter) : planned;
  const forText = isTextShort ? measured : planned.measured;
  const parts = { scene, draft, relevance, bodies, price, meter };
  const { messages, tokens } = measured;
  const { text, textTokens } = forText;
  return {
    messages,
    text,
    report: {
      ...(scene.loaded ? { flow: scene.loaded.flow.id } : {}),
      budget,
      tokens,
      textTokens,
      entries: reportEntries(parts),
      attachments: reportAttachments(parts),
      everything: whole
        ? { tokens: whole.measured.tokens + costOfRelated(parts), exact: meter.isExact }
        : costOfEverything(parts, meter.countMessages(writeMessages(EMPTY, writing))),
      exact: meter.isExact,
    },
  };
}

const EMPTY: Draft = { lines: [], turns: [], references: [], tail: NO_TAIL };

interface Planned {
  readonly draft: Draft;
  readonly measured: Measured;
}

/** Plans until it fits: texts that are joined may have more tokens than their pieces. */
async function planWithin(
  input: PlanInput,
  writing: Writing,
  meter: Meter,
  least: number,
  signal: AbortSignal | undefined,
): Promise<Planned> {
  const { budget, pinned } = input;
  let room = budget - least;
  for (;;) {
    signal?.throwIfAborted();
    const draft = room > 0 ? await plan(input, room) : { ...EMPTY, ...pinned };
    const measured = measure(draft, writing, meter);
    if (measured.most <= budget || room <= 0) return { draft, measured };
    room = Math.max(0, room - (measured.most - budget));
  }
}

/** Returns everything in full, if it fits. */
async function findWhole(
  input: PlanInput,
  writing: Writing,
  meter: Meter,
): Promise<Planned | undefined> {
  const draft = await planAll(input);
  const measured = draft && measure(draft, writing, meter);
  return measured && measured.tokens <= input.budget ? { draft, measured } : undefined;
}

/** Adds what depends on the prompt to a context that holds everything, as far as the room goes. */
async function addTail(
  input: PlanInput,
  plain: Planned,
  writing: Writing,
  meter: Meter,
): Promise<Planned> {
  const { budget } = input;
  const all = plain.draft;
  const given = new Set(all.turns.map(({ node }) => node.id));
  const fits = ({ tokens, most }: Measured): boolean =>
    (plain.measured.textTokens > budget ? tokens : most) <= budget;
  for (let room = budget - plain.measured.tokens; room > 0; room = Math.floor(room / 2) - 1) {
    const tail = await planTail(input, given, room - input.price.tail());
    if (tail.recalled.length + tail.related.length + tail.quotes.length === 0) return plain;
    const draft = { ...all, tail };
    const measured = measure(draft, writing, meter);
    if (fits(measured)) return { draft, measured };
  }
  return plain;
}

interface Measured extends Pick<BuiltContext, 'messages' | 'text'> {
  readonly tokens: number;
  readonly textTokens: number;
  readonly most: number;
}

function measure(draft: Draft, writing: Writing, meter: Meter): Measured {
  const messages = writeMessages(draft, writing);
  const text = writeText(draft, writing);
  const tokens = meter.countMessages(messages);
  const textTokens = meter.count(text);
  return { messages, text, tokens, textTokens, most: Math.max(tokens, textTokens) };
}

async function readPins(
  { ancestors, others, pinned }: Scene,
  bodies: Bodies,
  naming: Naming,
): Promise<Pick<Draft, 'turns' | 'references'>> {
  const read = async (nodes: Scene['ancestors']): Promise<Turn[]> => {
    const turns: Turn[] = [];
    for (const node of nodes) {
      if (pinned.has(node.id)) turns.push(turnOf(node, await bodies.get(node), 'pinned', naming));
    }
    return turns;
  };
  return { turns: await read(ancestors), references: await read(others) };
}

function assertFits(
  least: Measured,
  budget: number,
  bare: Measured,
  asked: readonly string[],
  pins: number,
): void {
  const excess = least.most - budget;
  if (excess <= 0) return;
  const isAsked = bare.most > budget;
  const pinned = pins === 1 ? 'the pinned node' : `the ${pins} pinned nodes`;
  const all = isAsked ? asked : [...asked, pinned];
  const what = `${new Intl.ListFormat('en').format(all)} ${all.length === 1 ? 'exceeds' : 'exceed'}`;
  throw new VizPromptError(
    'invalid-input',
    `${what} the budget of ${budget} tokens by ${isAsked ? bare.most - budget : excess}`,
    { context: { budget, excess, tokens: least.most } },
  );
}
