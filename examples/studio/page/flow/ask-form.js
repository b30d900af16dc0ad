/** @import { WireNode } from '../wire/types.js' */

import { element } from '../dom.js';
import { strings } from '../strings.js';

/**
 * The actions on a node.
 *
 * @typedef {object} Deeds
 * @property {(action: string, data: object) => void} ask - A long action: its answer comes piece by piece.
 * @property {(prompt: string, branch: string) => void} add
 * @property {() => void} stop
 */

/** The form beneath a node: ask again, continue, branch. */
export class AskForm {
  /** @type {WireNode | undefined} */
  #node;
  #prompt = element('textarea', { rows: 3, id: 'question', required: true });
  #branch = element('input', { id: 'branch' });
  #retry;
  #goOn;
  #ask = element('button', { type: 'submit', class: 'main' }, strings.ask);
  #add;
  #stop;
  element;

  /** @param {Deeds} deeds */
  constructor(deeds) {
    const button = (/** @type {string} */ text, /** @type {() => void} */ click, title = text) =>
      element('button', { type: 'button', title, click }, text);
    const again = (/** @type {string} */ action) => () => {
      if (this.#node) deeds.ask(action, { node_id: this.#node.id });
    };
    this.#retry = button(strings.retry, again('retry'), strings.retryHint);
    this.#goOn = button(strings.goOn, again('continue'), strings.goOnHint);
    this.#add = button(strings.add, () => {
      if (this.#prompt.reportValidity()) deeds.add(this.#prompt.value, this.#branch.value);
    });
    this.#stop = button(strings.stop, deeds.stop);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const branch = this.#branch.value;
      const from = this.#node ? { from: this.#node.id } : {};
      const named = branch === '' ? {} : { branch_name: branch };
      deeds.ask('chat', { prompt: this.#prompt.value, ...from, ...named });
    };
    this.element = element(
      'form',
      { id: 'ask', submit },
      element('p', { class: 'buttons' }, this.#retry, this.#goOn),
      element('label', { for: 'question' }, strings.question),
      this.#prompt,
      element('label', { for: 'branch' }, strings.branchName),
      this.#branch,
      element('p', { class: 'buttons' }, this.#ask, this.#add, this.#stop),
    );
    this.show(undefined, false);
  }

  /**
   * @param {WireNode | undefined} node - The one that is continued from.
   * @param {boolean} isAsking - Whether an answer is in progress.
   */
  show(node, isAsking) {
    this.#node = node;
    const canGoOn = node?.status === 'aborted' || node?.status === 'failed';
    this.#retry.disabled = isAsking || !node;
    this.#goOn.disabled = isAsking || !canGoOn;
    this.#ask.disabled = isAsking;
    this.#add.disabled = isAsking;
    this.#stop.disabled = !isAsking;
  }

  /** Forgets what was written, when it has become a node. */
  clear() {
    this.#prompt.value = '';
    this.#branch.value = '';
  }
}
