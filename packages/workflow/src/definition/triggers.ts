import type { JsonValue } from '@vizprompt/providers';

/** Starts a workflow by the clock. */
export interface Schedule {
  readonly workflow: string;
  /** A cron expression of five fields (minute, hour, day, month, weekday), or six with seconds in front. */
  readonly cron: string;
  /** Its time zone, such as `Asia/Tokyo`. Default: `UTC`. */
  readonly timeZone?: string;
  /** The variable `user_input`. Default: `{ schedule, at }`, its name and the time (ISO 8601) that it is due. */
  readonly input?: JsonValue;
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string;
  /**
   * Times that passed while no process was there: one run for the newest of them (`'last'`, the default), one for each,
   * of the newest 100 (`'all'`), or none (`'skip'`).
   */
  readonly missed?: 'last' | 'all' | 'skip';
  /** Where the run before has not ended: another run begins (`'allow'`, the default), or this time is left out (`'skip'`). */
  readonly overlap?: 'allow' | 'skip';
}

/** Starts a workflow by a request of another service. */
export interface Webhook {
  readonly workflow: string;
  /**
   * Scheme that proves who sent a request: `'standard'` (Standard Webhooks), `'github'`, `'slack'`, or `'bearer'`, the
   * secret itself in `Authorization`.
   */
  readonly scheme: WebhookScheme;
  /** The secret that it shares with the sender, as `${NAME}`, a variable of the environment. */
  readonly secret: string;
  /** CEL over `body`, `headers` and `query`: requests for which it is false are answered and start nothing. */
  readonly when?: string;
  /** The dotted path of `user_input`, such as `body.pull_request`. Default: `body`. */
  readonly input?: string;
  /** Default: `'default'`, or the only one. */
  readonly promptSet?: string;
}

/** Schemes that prove who sent a request. */
export type WebhookScheme = 'standard' | 'github' | 'slack' | 'bearer';
