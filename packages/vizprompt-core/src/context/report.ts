import type { NodeFilePart } from '../node/node.ts';
import type {
  ContextAttachment,
  ContextEntry,
  ContextForm,
  ContextReason,
  ContextReport,
} from './context-options.ts';
import type { Segment } from './history.ts';
import { MESSAGE_OVERHEAD, type Meter, type Price } from './price.ts';
import type { Relevance } from './relevance.ts';
import type { Bodies, ContextNode, Scene } from './scene.ts';
import type { Draft, Turn } from './write-context.ts';

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
export function reportEntries(input: ReportInput): ContextEntry[] {
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
export function reportAttachments({ draft, scene, bodies }: ReportInput): ContextAttachment[] {
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
export function costOfEverything(
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
export function costOfRelated({ draft, price }: Pick<ReportInput, 'draft' | 'price'>): number {
  const { related, quotes } = draft.tail;
  if (related.length + quotes.length === 0) return 0;
  const inFull = related.map((each) => Math.max(price.related(each), each.node.row?.tokens ?? 0));
  const passages = quotes.map((quote) => price.quote(quote));
  return [...inFull, ...passages].reduce((sum, cost) => sum + cost, price.tail());
}
