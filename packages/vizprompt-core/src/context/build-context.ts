import { createTokenEstimator } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { FlowFiles } from '../graph/flow-files.ts';
import type { NodeFilePart } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import {
  type ContextOptions,
  DEFAULT_BUDGET,
  type BuiltContext,
  type ContextAttachment,
  type ContextEntry,
  type ContextForm,
  type ContextReason,
  type ContextReport,
} from './context-options.ts';
import { hasSummary, type Segment } from './history.ts';
import { MESSAGE_OVERHEAD, Meter, plan, Price, turnOf } from './plan.ts';
import { findRelevance, type Relevance } from './relevance.ts';
import { Bodies, type ContextNode, findScene, type Scene } from './scene.ts';
import {
  type Draft,
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
  const { prompt, instructions = '', signal, budget = DEFAULT_BUDGET, detailHint = true } = options;
  if (!Number.isSafeInteger(budget) || budget < 1) {
    throw new VizPromptError('invalid-input', `'budget: ${budget}' is no whole number from 1 on`);
  }
  signal?.throwIfAborted();
  const scene = await findScene(project, flows, options);
  signal?.throwIfAborted();
  const meter = new Meter(options.counter ?? createTokenEstimator());
  const phrases = PHRASES[scene.language];
  const price = new Price(meter, phrases);
  const bodies = new Bodies(project);
  const writing: Writing = { prompt, instructions, phrases, detailHint };

  const pinned = await readPins(scene, bodies);
  const least = measure({ ...pinned, lines: [], quotes: [] }, writing, meter);
  const asked = ['the prompt', ...(instructions === '' ? [] : ['the instructions'])];
  assertFits(least, budget, measure(EMPTY, writing, meter), asked, scene.pinned.size);
  const relevance = await findRelevance(project, scene, bodies, options);
  signal?.throwIfAborted();

  const input = { scene, relevance, bodies, price, pinned, budget };
  let room = budget - least.most;
  let draft = await plan(input, room);
  let measured = measure(draft, writing, meter);
  // Texts that are joined may have more tokens than their pieces: then there is less room.
  while (measured.most > budget && room > 0) {
    signal?.throwIfAborted();
    room = Math.max(0, room - (measured.most - budget));
    draft = room > 0 ? await plan(input, room) : { ...pinned, lines: [], quotes: [] };
    measured = measure(draft, writing, meter);
  }
  const parts = { scene, draft, relevance, bodies, price, meter };
  const { messages, text, tokens, textTokens } = measured;
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
      everything: costOfEverything(parts, meter.countMessages(writeMessages(EMPTY, writing))),
      exact: meter.isExact,
    },
  };
}

const EMPTY: Draft = { lines: [], turns: [], references: [], quotes: [] };

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
): Promise<Pick<Draft, 'turns' | 'references'>> {
  const read = async (nodes: Scene['ancestors']): Promise<Turn[]> => {
    const turns: Turn[] = [];
    for (const node of nodes) {
      if (pinned.has(node.id)) turns.push(turnOf(node, await bodies.get(node), 'pinned'));
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
  const turns = new Map([...draft.turns, ...draft.references].map((turn) => [turn.node.id, turn]));
  const lines = new Map<string, Segment>();
  for (const line of draft.lines) for (const { id } of line.nodes) lines.set(id, line);
  const wanted = new Set([...relevance.ranked, ...scene.before, ...scene.referenced]);

  const entryOf = (node: ContextNode, isAncestor: boolean): ContextEntry => {
    const { id, label } = node;
    const turn = turns.get(id);
    const line = lines.get(id);
    const reason = turn?.reason ?? reasonOf(input, node, wanted, line);
    const form = formOf(node, turn, line);
    const own = turn ? (isAncestor ? price.turn(turn) : price.reference(turn)) : 0;
    const tokens = own + shareOf(node, line, price);
    return { id, label, form, reason, tokens, exact, isAncestor };
  };
  return [
    ...scene.ancestors.map((node) => entryOf(node, true)),
    ...scene.others.map((node) => entryOf(node, false)),
    ...draft.quotes.map((quote): ContextEntry => {
      const { id, label } = quote;
      const tokens = price.quote(quote);
      return { id, label, form: 'full', reason: 'retrieved', tokens, exact, isAncestor: false };
    }),
  ];
}

function formOf(node: ContextNode, turn?: Turn, line?: Segment): ContextForm {
  if (turn) return turn.isCut ? 'cut' : 'full';
  if (!line) return 'dropped';
  if (line.level > 0) return 'range';
  return hasSummary(node) ? 'summary' : 'first-words';
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

/** The files of the nodes that are given in full. */
function reportAttachments({ draft, scene, bodies }: ReportInput): ContextAttachment[] {
  const inFull = [...draft.turns, ...draft.references].map(({ node }) => node.id);
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
  { scene, bodies, meter }: Pick<ReportInput, 'scene' | 'bodies' | 'meter'>,
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
  const tokens = prompt + counted + Math.round(rough * factor) + messages * MESSAGE_OVERHEAD;
  return { tokens, exact: meter.isExact && rough === 0 };
}
