/** How many clients or streams a server serves at a time. */
export interface ClientShareLimits {
  readonly most: number;
  /** Default: half of `most`. */
  readonly mostPerClient?: number | undefined;
}

/** Why no share is available: `most` are taken in total, or by one client. */
export interface NoShare {
  readonly reason: 'total' | 'client';
  readonly open: number;
}

/** Counts what the clients of a server have open, by their addresses. */
export class ClientShares {
  readonly #most: number;
  readonly #mostPerClient: number;
  readonly #clients = new Map<string, number>();
  #open = 0;

  constructor({ most, mostPerClient = Math.max(1, Math.ceil(most / 2)) }: ClientShareLimits) {
    this.#most = most;
    this.#mostPerClient = mostPerClient;
  }

  /**
   * Takes a share.
   *
   * @param client - The address of the client; if empty, only the total counts.
   * @returns The function that releases it, or why there is none.
   */
  take(client: string): (() => void) | NoShare {
    const own = this.#clients.get(client) ?? 0;
    if (client !== '' && own >= this.#mostPerClient) return { reason: 'client', open: own };
    if (this.#open >= this.#most) return { reason: 'total', open: this.#open };
    this.#count(client, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#count(client, -1);
      isTaken = false;
    };
  }

  #count(client: string, by: 1 | -1): void {
    this.#open += by;
    const own = (this.#clients.get(client) ?? 0) + by;
    if (own > 0) this.#clients.set(client, own);
    else this.#clients.delete(client);
  }
}
