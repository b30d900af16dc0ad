import type { Eraser } from '@vizprompt/providers';
import type { NodePart, VizNode } from '../node/node.ts';

/** What of one side of a node a speaker said. */
export interface SaidOfSide {
  /** Whether all of it. */
  readonly isAll: boolean;
  /** Otherwise those of its parts. */
  readonly parts: ReadonlySet<NodePart>;
}

/** What of a node a speaker said. */
export interface Said {
  readonly prompt: SaidOfSide;
  readonly response: SaidOfSide;
  /** Whether there is anything. */
  readonly isAny: boolean;
}

/**
 * Finds what a speaker said in a node. This is the one place that knows which fields name a person: the speaker of the
 * node answered, and a part has the name of whoever said it.
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
