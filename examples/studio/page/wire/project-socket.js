/**
 * @typedef {object} Waiting
 * @property {(data: any) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {((event: string, data: any) => void) | undefined} onEvent
 */

const LONGEST_PAUSE_MS = 4000;

/**
 * The WebSocket of the project, which is made again when it breaks. It emits `open` each time it is there, after
 * which one must subscribe and read again; `lost`; and `event` for each event, as `{ event, data }`.
 */
export class ProjectSocket extends EventTarget {
  #token;
  #count = 0;
  #pauseMs = 250;
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();

  /** @param {string} token */
  constructor(token) {
    super();
    this.#token = token;
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {string} action
   * @param {object} [data]
   * @returns {Promise<any>} The data of the answer.
   */
  ask(action, data = {}) {
    return this.start(action, data).answer;
  }

  /**
   * Begins an action that reports progress.
   *
   * @param {string} action
   * @param {object} data
   * @param {(event: string, data: any) => void} [onEvent]
   * @returns {{ answer: Promise<any>, cancel: () => void }}
   */
  start(action, data, onEvent) {
    const id = ++this.#count;
    /** @type {Promise<any>} */
    const answer = new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('the connection is lost'));
      this.#waiting.set(id, { resolve, reject, onEvent });
      this.#socket?.send(JSON.stringify({ id, action, data }));
    });
    return { answer, cancel: () => void this.ask('cancel', { id }).catch(() => undefined) };
  }

  #connect() {
    const { host } = location;
    const protocols = ['vizprompt.v1', `token.${this.#token}`];
    const socket = new WebSocket(`ws://${host}/ws`, protocols);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#pauseMs = 250;
      this.dispatchEvent(new Event('open'));
    });
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(data)));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the connection is lost'));
      this.#waiting.clear();
      this.dispatchEvent(new Event('lost'));
      setTimeout(() => this.#connect(), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  /** @param {{ id?: number, status?: string, event?: string, data?: any, error?: { message: string } }} message */
  #hear({ id, status, event, data, error }) {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (event !== undefined) {
      if (waiting) waiting.onEvent?.(event, data);
      else this.dispatchEvent(new CustomEvent('event', { detail: { event, data } }));
    } else if (waiting && id !== undefined) {
      this.#waiting.delete(id);
      if (status === 'success') waiting.resolve(data);
      else waiting.reject(new Error(error?.message ?? 'the action failed'));
    }
  }
}
