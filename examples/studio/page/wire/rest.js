/** An answer that is a problem (RFC 9457). */
export class RestError extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The REST API of the memory. */
export class Rest {
  #token;

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number | undefined>} [query] - What is undefined is left out.
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} The answer.
   * @throws {RestError}
   */
  async get(path, query = {}, signal) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const response = await this.fetch(`${path}?${search}`, {}, signal);
    return response.json();
  }

  /**
   * @param {string} url
   * @param {Record<string, string>} headers
   * @param {AbortSignal} [signal]
   * @throws {RestError}
   */
  async fetch(url, headers, signal) {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${this.#token}`, ...headers },
      ...(signal ? { signal } : {}),
    });
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    throw new RestError(response.status, problem.detail ?? response.statusText);
  }
}
