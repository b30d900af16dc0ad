import type { JsonObject } from '@vizprompt/providers';

/** A line of a rollout, with what is needed to make events of it. */
export interface CodexLine {
  readonly payload: JsonObject;
  /** Begins the keys of the events of this line. */
  readonly key: string;
  readonly timestamp: string | undefined;
}
