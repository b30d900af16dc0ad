/** What keeps values for a while. {@link SearchCache} is the one in memory; a host may bring its own. */
export interface CacheService<Value> {
  /** The value, or `null` if there is none or its time is over. */
  get(key: string): Promise<Value | null>;

  /**
   * @param ttl - How long it is kept, in milliseconds.
   */
  set(key: string, value: Value, ttl?: number): Promise<void>;

  /**
   * Drops all values whose key fits.
   *
   * @param pattern - A key; `*` stands for any characters, also none.
   */
  invalidate(pattern: string): Promise<void>;
}
