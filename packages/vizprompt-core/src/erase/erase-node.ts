import { ERASED, type Eraser } from '@vizprompt/providers/internal';
import { attachmentKeys } from '../node/attachments.ts';
import type { NodePart, NodeSummary, TextRangePart, VizNode } from '../node/node.ts';

/** A rewritten node; its summary, tags and keywords are derived from its texts. */
export interface RewrittenNode {
  readonly node: VizNode;
  readonly hasChanged: boolean;
}

/** A stored file that takes the place of one with copies. */
export interface MovedFile {
  readonly path: string;
  readonly size: number;
}

/** Stored files that are replaced, as they held copies, by their keys. */
type MovedFiles = ReadonlyMap<string, MovedFile>;

const NO_FILES: MovedFiles = new Map();
const NO_SUMMARY: NodeSummary = { text: '', isOutdated: true };

/** Has the eraser learn what the speaker said in a node. */
export function learnNode(node: VizNode, eraser: Eraser): boolean {
  const said = saidBy(node, eraser);
  const texts = [
    ...textsOf(promptOf(node), said.prompt),
    ...textsOf(responseOf(node), said.response),
  ];
  for (const text of texts) eraser.learn(text);
  return said.isAny;
}

/** Replaces what the speaker said in a node, and drops what was derived from it. */
export function eraseNode(node: VizNode, eraser: Eraser): RewrittenNode {
  const said = saidBy(node, eraser);
  if (!said.isAny) return { node, hasChanged: false };
  const { unknown: _, ...known } = node;
  const prompt = eraseSide(promptOf(node), said.prompt);
  const response = eraseSide(responseOf(node), said.response);
  const erased: VizNode = {
    ...withSides(known, prompt, response),
    summary: NO_SUMMARY,
    tags: [],
    ...(node.speaker === undefined ? {} : { speaker: eraser.name(node.speaker) }),
  };
  return { node: erased, hasChanged: true };
}

/** Replaces copies of what the speaker said in what others said in a node. */
export function cleanNode(
  node: VizNode,
  eraser: Eraser,
  moved: MovedFiles = NO_FILES,
): RewrittenNode {
  const said = saidBy(node, eraser);
  const prompt = cleanSide(promptOf(node), said.prompt, eraser, moved);
  const response = cleanSide(responseOf(node), said.response, eraser, moved);
  const cleaned = withSides(node, prompt, response);
  const hasNewTexts = !isSame(withSides(node, promptOf(node), responseOf(node)), cleaned);
  const summary = eraser.clean(node.summary.text);
  const isDerived = hasNewTexts || summary !== node.summary.text;
  const result: VizNode = {
    ...cleaned,
    summary: isDerived ? NO_SUMMARY : node.summary,
    tags: node.tags.filter((tag) => !isGone(tag, node, cleaned) && !isOf(tag, eraser)),
    ...(node.unknown
      ? { unknown: node.unknown.filter((one) => !isOf(JSON.stringify(one), eraser)) }
      : {}),
  };
  return { node: result, hasChanged: !isSame(node, result) };
}

/** Returns the stored files that only what was erased named. */
export function filesOnlyIn(before: VizNode, after: VizNode): readonly string[] {
  const kept = new Set(attachmentKeys([after]));
  return attachmentKeys([before]).filter((key) => !kept.has(key));
}

/** Checks whether others mention the name in a node. */
export function isMentionedIn(node: VizNode, eraser: Eraser): boolean {
  return eraser.isMentioned(
    JSON.stringify([node.prompt, node.response, node.promptParts, node.responseParts, node.tags]),
  );
}

function promptOf({ prompt, promptParts }: VizNode): Side {
  return { text: prompt, parts: promptParts };
}

function responseOf({ response, responseParts }: VizNode): Side {
  return { text: response, parts: responseParts };
}

function withSides(node: VizNode, prompt: Side, response: Side): VizNode {
  return {
    ...node,
    prompt: prompt.text,
    response: response.text,
    promptParts: prompt.parts,
    responseParts: response.parts,
  };
}

function isSame(a: VizNode, b: VizNode): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Checks whether a tag was in the texts of a node and is not any more. */
function isGone(tag: string, before: VizNode, after: VizNode): boolean {
  const has = ({ prompt, response }: VizNode): boolean =>
    `${prompt}\n${response}`.toLowerCase().includes(tag.toLowerCase());
  return has(before) && !has(after);
}

function isOf(text: string, eraser: Eraser): boolean {
  return text !== ERASED && (eraser.clean(text) !== text || eraser.isTakenFrom(text));
}

/** The parts of one side of a node that a speaker said. */
interface SaidOfSide {
  /** True if all of it. */
  readonly isAll: boolean;
  /** Otherwise those of its parts. */
  readonly parts: ReadonlySet<NodePart>;
}

/** The parts of a node that a speaker said. */
export interface Said {
  readonly prompt: SaidOfSide;
  readonly response: SaidOfSide;
  /** True if there is anything. */
  readonly isAny: boolean;
}

/**
 * Finds the words of a speaker in a node. This is the one place that knows which fields name a person: the speaker of the
 * node answered, and a part has the name of its speaker.
 */
export function saidBy(node: VizNode, eraser: Eraser): Said {
  const prompt = sideOf(node.promptParts, false, eraser);
  const response = sideOf(node.responseParts, eraser.isSpeaker(node.speaker), eraser);
  const isAny = [prompt, response].some(({ isAll, parts }) => isAll || parts.size > 0);
  return { prompt, response, isAny };
}

function sideOf(parts: readonly NodePart[], isAll: boolean, eraser: Eraser): SaidOfSide {
  return { isAll, parts: new Set(parts.filter(({ name }) => eraser.isSpeaker(name))) };
}

/** One side of a node. */
interface Side {
  readonly text: string;
  readonly parts: readonly NodePart[];
}

/** Replaces the words of the speaker in a side by the mark. The words of others stay as they are. */
function eraseSide({ text, parts }: Side, said: SaidOfSide): Side {
  if (said.isAll) return { text: text === '' ? '' : ERASED, parts: [] };
  if (said.parts.size === 0) return { text, parts };
  return rewrite(
    { text, parts },
    (piece, ranges) => {
      const own = ranges.filter((range) => said.parts.has(range));
      if (own.length === 0) return piece.text;
      return own.some(({ start }) => start === piece.start) ? ERASED : '';
    },
    (part) => {
      if (!said.parts.has(part)) return part;
      // The place in the text stays, so that it shows that someone spoke.
      return part.type === 'text'
        ? { type: 'text', start: part.start, end: part.end, name: ERASED }
        : undefined;
    },
  );
}

/** Replaces copies of the speaker's words in the words of others. The speaker's own words stay as they are. */
function cleanSide(
  { text, parts }: Side,
  said: SaidOfSide,
  eraser: Eraser,
  moved: MovedFiles,
): Side {
  if (said.isAll) return { text, parts };
  return rewrite(
    { text, parts },
    (piece, ranges) =>
      ranges.some((range) => said.parts.has(range)) ? piece.text : eraser.clean(piece.text),
    (part) => (said.parts.has(part) ? part : cleanPart(part, eraser, moved)),
  );
}

/** Returns all texts of what the speaker said in a side. */
function textsOf({ text, parts }: Side, said: SaidOfSide): readonly string[] {
  const own = said.isAll ? parts : parts.filter((part) => said.parts.has(part));
  return [
    ...(said.isAll ? [text] : []),
    ...own.flatMap((part): readonly string[] => {
      switch (part.type) {
        case 'text':
          return [text.slice(part.start, part.end)];
        case 'reasoning':
          return [part.text];
        case 'tool-call':
          return stringsOf(part.input);
        case 'tool-result':
          return stringsOf(part.output);
        case 'data':
          return stringsOf(part.value);
        default:
          return [part.fileName ?? '', part.uri ?? ''];
      }
    }),
  ];
}

interface Piece {
  readonly text: string;
  readonly start: number;
}

/** Rewrites a text piece by piece, cut at the borders of its ranges, and moves the ranges along. */
function rewrite(
  { text, parts }: Side,
  rewritePiece: (piece: Piece, ranges: readonly TextRangePart[]) => string,
  rewritePart: (part: NodePart) => NodePart | undefined,
): Side {
  const ranges = parts.filter((part) => part.type === 'text');
  const borders = [
    ...new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])]),
  ].toSorted((a, b) => a - b);
  const moved = new Map<number, number>();
  let rewritten = '';
  for (const [at, start] of borders.entries()) {
    moved.set(start, rewritten.length);
    const end = borders[at + 1];
    if (end === undefined) break;
    const around = ranges.filter((range) => range.start <= start && range.end >= end);
    rewritten += rewritePiece({ text: text.slice(start, end), start }, around);
  }
  const kept = parts.flatMap((part): NodePart[] => {
    const changed = rewritePart(part);
    if (changed?.type !== 'text') return changed ? [changed] : [];
    const start = moved.get(changed.start) ?? 0;
    return [{ ...changed, start, end: moved.get(changed.end) ?? start }];
  });
  return { text: rewritten, parts: kept };
}

function cleanPart(part: NodePart, eraser: Eraser, moved: MovedFiles): NodePart {
  switch (part.type) {
    case 'text':
      return part;
    case 'reasoning':
      return { ...part, text: eraser.clean(part.text) };
    case 'tool-call':
      return { ...part, input: eraser.cleanJson(part.input) };
    case 'tool-result':
      return { ...part, output: eraser.cleanJson(part.output) };
    case 'data':
      return { ...part, value: eraser.cleanJson(part.value) };
    default:
      return {
        ...part,
        ...(part.path === undefined ? {} : moved.get(part.path)),
        ...(part.uri === undefined ? {} : { uri: eraser.clean(part.uri) }),
        ...(part.fileName === undefined ? {} : { fileName: eraser.clean(part.fileName) }),
      };
  }
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
