import { ERASED, type Eraser } from '@vizprompt/providers';
import { attachmentKeys } from '../node/attachments.ts';
import type { NodeSummary, VizNode } from '../node/node.ts';
import { cleanSide, eraseSide, type Side, textsOf } from './rewrite-side.ts';
import { saidBy } from './said-by.ts';

/** What is made of a node: summary, tags and keywords are derived from what was said. */
export interface RewrittenNode {
  readonly node: VizNode;
  readonly hasChanged: boolean;
}

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
export function cleanNode(node: VizNode, eraser: Eraser): RewrittenNode {
  const said = saidBy(node, eraser);
  const prompt = cleanSide(promptOf(node), said.prompt, eraser);
  const response = cleanSide(responseOf(node), said.response, eraser);
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

/** Whether a tag was in the texts of a node and is not any more. */
function isGone(tag: string, before: VizNode, after: VizNode): boolean {
  const has = ({ prompt, response }: VizNode): boolean =>
    `${prompt}\n${response}`.toLowerCase().includes(tag.toLowerCase());
  return has(before) && !has(after);
}

function isOf(text: string, eraser: Eraser): boolean {
  return text !== ERASED && (eraser.clean(text) !== text || eraser.isTakenFrom(text));
}
