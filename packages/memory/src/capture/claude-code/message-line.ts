import type { JsonObject } from '@vizprompt/providers';

/** A line of a message, with what was found out about it. */
export interface MessageLine {
  readonly line: JsonObject;
  readonly message: JsonObject;
  /** The line's id, as the keys of its events begin. */
  readonly key: string;
  /** Who speaks: empty for the main conversation, else the id of the subagent. */
  readonly speaker: string;
  /** The event that the line before led to. */
  readonly parent: string | undefined;
  readonly timestamp: string | undefined;
  readonly meta: JsonObject;
}
