import type { NodeDataPart, NodePart } from '../node/node.ts';

/** What a model was told before all else, as a part of the node that it answered. */
export function instructionsPart(text: string): NodeDataPart {
  return { type: 'data', kind: 'text', value: text, role: 'system' };
}

/**
 * What a node was asked with last; `undefined` if it was asked without. What the system said in imported
 * conversations has a source: it was told to another model, together with what is not known here.
 */
export function instructionsIn(parts: readonly NodePart[]): string | undefined {
  const texts = parts.flatMap((part) => {
    const isOwn = part.type === 'data' && part.role === 'system' && part.source === undefined;
    return isOwn && part.kind === 'text' && typeof part.value === 'string' ? [part.value] : [];
  });
  return texts.at(-1);
}
