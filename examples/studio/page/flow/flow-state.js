/** @import { ProjectSocket } from '../wire/project-socket.js' */
/** @import { WireFlow, WireFlowSummary, WireNode } from '../wire/types.js' */

/** How many nodes the server gives in one answer. */
const MOST_NODES = 100;

/**
 * A flow and its nodes, as they are on the server: read once, then kept up to date by events. It emits `change`
 * whenever something of it is another, and `failed` with the error when it could not be read.
 */
export class FlowState extends EventTarget {
  /** @type {WireFlowSummary[]} */
  flows = [];
  /** @type {WireFlow | undefined} */
  flow;
  /** @type {Map<string, WireNode>} */
  nodes = new Map();
  #socket;
  #name;
  /** Counts what came, so that an answer that an event overtook is known. */
  #changes = 0;

  /**
   * @param {ProjectSocket} socket
   * @param {string} name - The id of the flow; empty: the first one.
   * @param {AbortSignal} signal
   */
  constructor(socket, name, signal) {
    super();
    this.#socket = socket;
    this.#name = name;
    const read = () => void this.#read().catch((error) => this.#fail(error));
    const hear = (/** @type {Event} */ event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      void this.#hear(detail.event, detail.data).catch((error) => this.#fail(error));
    };
    socket.addEventListener('open', read, { signal });
    socket.addEventListener('event', hear, { signal });
    if (socket.isOpen) read();
  }

  /** Takes over a node that an answer or an event brought. @param {WireNode} node */
  put(node) {
    this.nodes.set(node.id, node);
    this.#tell();
  }

  // #region read
  /** Subscribes first, so that nothing is missed between reading and hearing. */
  async #read() {
    await this.#socket.ask('subscribe', { event: '*' });
    for (;;) {
      const before = this.#changes;
      const { flows } = await this.#socket.ask('list_flows');
      this.flows = flows;
      const id = this.#name || flows[0]?.id;
      if (id !== undefined) this.flow = (await this.#socket.ask('get_flow', { flow_id: id })).flow;
      if (this.#changes === before) break;
    }
    const ids = this.flow?.nodes.map((node) => node.id) ?? [];
    const here = new Set(ids);
    for (const id of this.nodes.keys()) if (!here.has(id)) this.nodes.delete(id);
    await this.#readNodes(ids);
    this.#tell();
  }
  // #endregion read

  /** @param {readonly string[]} ids */
  async #readNodes(ids) {
    for (let at = 0; at < ids.length; at += MOST_NODES) {
      const data = { node_ids: ids.slice(at, at + MOST_NODES) };
      const { nodes } = await this.#socket.ask('get_nodes', data);
      for (const node of nodes) this.nodes.set(node.id, node);
      this.#tell();
    }
  }

  /**
   * @param {string} event
   * @param {any} data
   */
  async #hear(event, data) {
    if (event === 'node_created' || event === 'node_updated') this.put(data.node);
    if (event === 'node_deleted') this.nodes.delete(data.node_id);
    if (!event.startsWith('flow_')) return;
    this.#changes++;
    const isShown = data.flow_id === this.flow?.id;
    if (isShown && event === 'flow_updated') {
      this.flow = data.flow;
      const missing = data.flow.nodes.filter(
        (/** @type {{ id: string }} */ { id }) => !this.nodes.has(id),
      );
      await this.#readNodes(missing.map((/** @type {{ id: string }} */ { id }) => id));
    } else if (isShown && event === 'flow_deleted') {
      this.flow = undefined;
      this.#name = '';
    }
    this.flows = (await this.#socket.ask('list_flows')).flows;
    if (!this.flow && this.flows.length > 0) await this.#read();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }

  /** @param {unknown} error */
  #fail(error) {
    // A connection that is lost comes back, and then all is read again.
    if (this.#socket.isOpen) this.dispatchEvent(new CustomEvent('failed', { detail: error }));
  }
}
