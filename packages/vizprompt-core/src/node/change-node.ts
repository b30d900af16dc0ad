import type { NodePart, VizNode } from './node.ts';

/** What of a node can be changed. What is not named stays as it is. */
export interface NodePatch {
  readonly prompt?: string;
  readonly response?: string;
  readonly model?: string;
  readonly tags?: readonly string[];
  readonly stats?: VizNode['stats'];
  readonly status?: NonNullable<VizNode['status']>;
  readonly speaker?: string;
  /** A summary of one's own; it counts as up to date. */
  readonly summary?: string;
  readonly promptParts?: readonly NodePart[];
  readonly responseParts?: readonly NodePart[];
}

/** A node with changes; a change of its text makes its summary outdated. */
export function changeNode(node: VizNode, patch: NodePatch): VizNode {
  const { summary, ...fields } = patch;
  const changed = { ...node, ...fields };
  const hasNewPrompt = changed.prompt !== node.prompt;
  const hasNewResponse = changed.response !== node.response;
  const isOutdated = hasNewPrompt || hasNewResponse || node.summary.isOutdated;
  return {
    ...changed,
    summary: {
      ...node.summary,
      text: summary ?? node.summary.text,
      isOutdated: summary === undefined && isOutdated,
    },
    ...(hasNewPrompt && !patch.promptParts
      ? { promptParts: oneText(node.promptParts, changed.prompt) }
      : {}),
    ...(hasNewResponse && !patch.responseParts
      ? { responseParts: oneText(node.responseParts, changed.response) }
      : {}),
  };
}

/** Of a new text nobody knows the pieces: one part stands for all of it, where the first stood. */
function oneText(parts: readonly NodePart[], text: string): readonly NodePart[] {
  const first = parts.find((part) => part.type === 'text');
  return parts.flatMap((part): NodePart[] => {
    if (part.type !== 'text') return [part];
    return part === first ? [{ ...part, start: 0, end: text.length }] : [];
  });
}
