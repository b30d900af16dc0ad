import { createTokenEstimator } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { FlowFiles } from '../graph/flow-files.ts';
import type { NodeFilePart } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import {
  type BuiltContext,
  type ContextAttachment,
  type ContextEntry,
  type ContextForm,
  type ContextOptions,
  type ContextReason,
  type ContextReport,
  DEFAULT_BUDGET,
} from './context-options.ts';
import type { Segment } from './history.ts';
import { plan, planAll, type PlanInput, planTail, turnOf } from './plan.ts';
import { pointsAtItem } from './referents.ts';
import { findRelated, findRelevance, queryOf, type Relevance } from './relevance.ts';
import { Bodies, type ContextNode, findScene, Naming, type Scene } from './scene.ts';
import {
  type Draft,
  MESSAGE_OVERHEAD,
  Meter,
  NO_TAIL,
  PHRASES,
  Price,
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
    isOfItems: pointsAtItem(prompt),
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

/** The input of a report. */
interface ReportInput {
  readonly scene: Scene;
  readonly draft: Draft;
  readonly relevance: Relevance;
  readonly bodies: Bodies;
  readonly price: Price;
  readonly meter: Meter;
}

/** Reports the form and the cost of each node. */
function reportEntries(input: ReportInput): ContextEntry[] {
  const { scene, draft, price, meter, relevance } = input;
  const exact = meter.isExact;
  const { recalled, related, quotes } = draft.tail;
  const turns = new Map([...draft.turns, ...recalled].map((turn) => [turn.node.id, turn]));
  const references = new Map(draft.references.map((turn) => [turn.node.id, turn]));
  const inTail = new Set(recalled);
  const lines = new Map<string, Segment>();
  for (const line of draft.lines) for (const { id } of line.nodes) lines.set(id, line);
  const wanted = new Set([
    ...relevance.ranked.map(({ id }) => id),
    ...scene.before,
    ...scene.referenced,
  ]);

  const entryOf = (node: ContextNode, isAncestor: boolean): ContextEntry => {
    const { id, label } = node;
    const turn = turns.get(id) ?? references.get(id);
    const line = lines.get(id);
    const reason = turn?.reason ?? reasonOf(input, node, wanted, line);
    const form = formOf(turn, line);
    const isMessage = turn !== undefined && !inTail.has(turn) && turns.has(id);
    const own = turn ? (isMessage ? price.messages(turn) : price.reference(turn)) : 0;
    const tokens = own + shareOf(node, line, price);
    return { id, label, form, reason, tokens, exact, isAncestor };
  };
  return [
    ...scene.ancestors.map((node) => entryOf(node, true)),
    ...scene.others.map((node) => entryOf(node, false)),
    ...quotes.map((quote): ContextEntry => {
      const { id, label } = quote;
      const tokens = price.quote(quote);
      return { id, label, form: 'full', reason: 'retrieved', tokens, exact, isAncestor: false };
    }),
    ...related.map((each): ContextEntry => {
      const { id, label } = each.node;
      const { form } = each;
      const tokens = price.related(each);
      return { id, label, form, reason: 'related', tokens, exact, isAncestor: false };
    }),
  ];
}

function formOf(turn?: Turn, line?: Segment): ContextForm {
  if (turn) return turn.isCut ? 'cut' : 'full';
  return line ? line.source : 'dropped';
}

function reasonOf(
  { scene, bodies }: ReportInput,
  { id, row }: ContextNode,
  wanted: ReadonlySet<string>,
  line: Segment | undefined,
): ContextReason {
  if (scene.excluded.has(id)) return 'excluded';
  if (!row || (bodies.known.has(id) && !bodies.known.get(id))) return 'missing';
  return !line || wanted.has(id) ? 'no-room' : 'earlier';
}

/** Its line, or its share of the line of a run: together they are the whole line. */
function shareOf({ id }: ContextNode, line: Segment | undefined, price: Price): number {
  if (!line) return 0;
  const { length } = line.nodes;
  const each = Math.floor(price.line(line) / length);
  return line.nodes[0]?.id === id ? price.line(line) - each * (length - 1) : each;
}

/** Returns the files of the nodes that are given in full. */
function reportAttachments({ draft, scene, bodies }: ReportInput): ContextAttachment[] {
  const inFull = [...draft.turns, ...draft.tail.recalled, ...draft.references].map(
    ({ node }) => node.id,
  );
  const ids = new Set([...scene.before, ...inFull, ...scene.referenced]);
  return [...ids].flatMap((id) => {
    const node = bodies.known.get(id);
    return [...(node?.promptParts ?? []), ...(node?.responseParts ?? [])]
      .filter((part): part is NodeFilePart => part.type === 'file')
      .map((part) => ({ node: id, part }));
  });
}

/** Returns the cost of all nodes in full: counted where they were read, estimated elsewhere. */
function costOfEverything(
  { scene, bodies, meter, draft, price }: ReportInput,
  prompt: number,
): ContextReport['everything'] {
  let [counted, countedRoughly, rough, messages] = [0, 0, 0, 0];
  for (const { id, row } of [...scene.ancestors, ...scene.others]) {
    if (!row) continue;
    const node = bodies.known.get(id);
    messages += 2;
    if (node) {
      counted += meter.count(node.prompt) + meter.count(node.response);
      countedRoughly += row.tokens;
    } else rough += row.tokens;
  }
  const factor = countedRoughly > 0 ? counted / countedRoughly : 1;
  const inTail = costOfRelated({ draft, price });
  const tokens =
    prompt + inTail + counted + Math.round(rough * factor) + messages * MESSAGE_OVERHEAD;
  return { tokens, exact: meter.isExact && rough === 0 };
}

/** Returns the cost of the related nodes and passages if they were given in full. */
function costOfRelated({ draft, price }: Pick<ReportInput, 'draft' | 'price'>): number {
  const { related, quotes } = draft.tail;
  if (related.length + quotes.length === 0) return 0;
  const inFull = related.map((each) => Math.max(price.related(each), each.node.row?.tokens ?? 0));
  const passages = quotes.map((quote) => price.quote(quote));
  return [...inFull, ...passages].reduce((sum, cost) => sum + cost, price.tail());
}
