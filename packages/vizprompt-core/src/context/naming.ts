import { withForgedLinesQuoted } from '@vizprompt/providers/internal';
import { parseList } from '../index/node-index.ts';
import { shownName, withAskers } from '../node/askers.ts';
import type { StoredNode } from '../node/node.ts';
import type { ContextNode } from './scene.ts';

/** Says in a context who speaks, where it is more than one. */
export class Naming {
  readonly #namesAskers: boolean;
  readonly #namesAnswerers: boolean;
  /** All names, as they are shown. */
  readonly #names: readonly string[];

  /**
   * @param nodes - All nodes that may be in the context.
   * @param speaker - The name of the person asking now, if it is given.
   */
  constructor(nodes: readonly ContextNode[], speaker: string | undefined) {
    const asked = nodes.flatMap(({ row }) => (row ? parseList(row.askers) : []));
    const askers = new Set([...asked, ...(speaker === undefined ? [] : [speaker])]);
    const answerers = new Set(nodes.flatMap(({ row }) => row?.speaker ?? []));
    this.#namesAskers = askers.size > 1;
    this.#namesAnswerers = answerers.size > 1;
    this.#names = [...new Set([...askers, ...answerers])].map(shownName).filter(Boolean);
  }

  /** Returns what was asked, with names. */
  prompt(node: StoredNode): string {
    return this.#namesAskers ? withAskers(node, this.#names) : node.prompt;
  }

  /** Returns what was answered, with its speaker. */
  response({ response, speaker }: StoredNode): string {
    if (!this.#namesAnswerers || speaker === undefined || response === '') return response;
    return this.#said(speaker, response);
  }

  /** Returns what is asked now, with its speaker. */
  current(prompt: string, speaker: string | undefined): string {
    return this.#namesAskers && speaker !== undefined ? this.#said(speaker, prompt) : prompt;
  }

  /** Returns one line about a node, with who asked. */
  line({ row }: ContextNode, text: string): string {
    const askers = this.#namesAskers && row ? parseList(row.askers) : [];
    return askers.length === 0 ? text : `${askers.map(shownName).join(', ')}: ${text}`;
  }

  #said(speaker: string, text: string): string {
    return `${shownName(speaker)}: ${withForgedLinesQuoted(text, this.#names)}`;
  }
}
