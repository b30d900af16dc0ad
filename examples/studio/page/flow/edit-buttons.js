/** @import { ProjectSocket } from '../wire/project-socket.js' */
/** @import { WireFlow, WireFlowSummary, WireStep } from '../wire/types.js' */

import { element } from '../dom.js';
import { strings } from '../strings.js';

/** Buttons that disconnect a node from the one before it, and that undo any edit. */
export class EditButtons {
  #socket;
  #fail;
  #cut;
  #undo;
  #redo;
  /** @type {{ flow_id: string, source_id: string, target_id: string } | undefined} */
  #connection;
  /** @type {{ undo: readonly WireStep[], redo: readonly WireStep[] }} */
  #edits = { undo: [], redo: [] };
  /** The flows as they were when the edits were asked for. @type {readonly WireFlowSummary[] | undefined} */
  #flows;
  element;

  /**
   * @param {ProjectSocket} socket
   * @param {(error: unknown) => void} fail
   */
  constructor(socket, fail) {
    this.#socket = socket;
    this.#fail = fail;
    const button = (/** @type {string} */ text, /** @type {() => void} */ click) =>
      element('button', { type: 'button', disabled: true, click }, text);
    this.#cut = button(strings.disconnect, () => {
      if (this.#connection) void this.#do('disconnect_nodes', this.#connection);
    });
    this.#cut.title = strings.disconnectHint;
    this.#undo = button(strings.undo, () => this.#replay('undo'));
    this.#redo = button(strings.redo, () => this.#replay('redo'));
    this.element = element('span', { class: 'buttons' }, this.#cut, this.#undo, this.#redo);
  }

  /**
   * @param {readonly WireFlowSummary[]} flows - Other ones than before: something was edited.
   * @param {WireFlow | undefined} flow
   * @param {string | undefined} id - The node that is chosen.
   */
  show(flows, flow, id) {
    const before = flow?.connections.find(({ to }) => to === id);
    this.#connection =
      flow && before
        ? { flow_id: flow.id, source_id: before.from, target_id: before.to }
        : undefined;
    this.#cut.disabled = !before;
    if (flows !== this.#flows) void this.#read();
    this.#flows = flows;
  }

  async #read() {
    try {
      this.#edits = await this.#socket.ask('list_edits');
    } catch (error) {
      // A connection that is lost comes back, and then all is read again.
      if (this.#socket.isOpen) this.#fail(error);
    }
    for (const [name, shown] of /** @type {const} */ ([
      ['undo', this.#undo],
      ['redo', this.#redo],
    ])) {
      const next = this.#edits[name].at(-1);
      shown.disabled = !next;
      shown.title = next?.label ?? '';
    }
  }

  /** Returns the edit that the button has undone, or nothing, if another edit came meanwhile. @param {'undo' | 'redo'} name */
  #replay(name) {
    const next = this.#edits[name].at(-1);
    if (next) void this.#do(name, { if_step: next.id });
  }

  /**
   * @param {string} action
   * @param {object} data
   */
  async #do(action, data) {
    try {
      await this.#socket.ask(action, data);
    } catch (error) {
      this.#fail(error);
    }
  }
}
