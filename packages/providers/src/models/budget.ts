/** An amount of model use. */
export interface Spending {
  readonly tokens?: number | undefined;
  /** US dollars, by the price table that the user gave. */
  readonly costUsd?: number | undefined;
}

/** A share of a {@link Budget} that is set aside for one call. */
export interface Reservation {
  /** Replaces the estimate by what the call really cost. Only the first call counts. */
  settle(actual: Spending): void;
}

/**
 * A limit on spending that several calls share. It is asked before each call and receives the usage afterwards,
 * so that calls that run side by side cannot overspend together.
 */
export interface Budget {
  readonly specVersion: 1;
  /** The rest; absent keys have no limit. */
  readonly remaining: Spending;

  /**
   * Sets an estimate aside.
   *
   * @throws LLMError with the code `quota` if less is left.
   */
  reserve(estimate: Spending): Reservation;
}
