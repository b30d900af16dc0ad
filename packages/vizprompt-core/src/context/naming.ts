import { parseList } from '../index/node-index.ts';
import { withAskers } from '../node/askers.ts';
import type { StoredNode } from '../node/node.ts';
import type { ContextNode } from './scene.ts';

/** Says in a context who speaks, where it is more than one. */
export class Naming {
  readonly #namesAskers: boolean;
  readonly #namesAnswerers: boolean;

  /**
   * @param nodes - All nodes that may be in the context.
   * @param speaker - The name of the person asking now, if it is given.
   */
  constructor(nodes: readonly ContextNode[], speaker: string | undefined) {
    const askers = nodes.flatMap(({ row }) => (row ? parseList(row.askers) : []));
    const answerers = nodes.flatMap(({ row }) => row?.speaker ?? []);
    this.#namesAskers = new Set([...askers, ...(speaker === undefined ? [] : [speaker])]).size > 1;
    this.#namesAnswerers = new Set(answerers).size > 1;
  }

  /** Returns what was asked, with names. */
  prompt(node: StoredNode): string {
    return this.#namesAskers ? withAskers(node) : node.prompt;
  }

  /** Returns what was answered, with its speaker. */
  response({ response, speaker }: StoredNode): string {
    if (!this.#namesAnswerers || speaker === undefined || response === '') return response;
    return `${speaker}: ${response}`;
  }

  /** Returns what is asked now, with its speaker. */
  current(prompt: string, speaker: string | undefined): string {
    return this.#namesAskers && speaker !== undefined ? `${speaker}: ${prompt}` : prompt;
  }

  /** Returns one line about a node, with who asked. */
  line({ row }: ContextNode, text: string): string {
    const askers = this.#namesAskers && row ? parseList(row.askers) : [];
    return askers.length === 0 ? text : `${askers.join(', ')}: ${text}`;
  }
}
