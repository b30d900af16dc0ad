/** A message of a person, which can be answered. */
export interface Message {
  /** The channel, the thread or the terminal. Each room has one conversation. */
  readonly room: string;
  /** The name of the person, which is unique on the platform. */
  readonly from: string;
  readonly text: string;
  /** Posts an answer. */
  post(text: string): Promise<Posted>;
}

/** A message of the bot. */
export interface Posted {
  /** Replaces its text, on a front that can edit. */
  edit?(text: string): Promise<unknown>;
}

/** A platform where people talk to the bot. Fronts and the bot do not depend on each other. */
export interface Front {
  /** The maximum length of one message on the platform, in UTF-16 units. */
  readonly maxLength: number;
  /** True if a posted message can be edited: answers are then streamed. */
  readonly canEdit: boolean;
  /** Passes each message to the listener. Resolves when the front closes. */
  listen(onMessage: (message: Message) => Promise<void>): Promise<void>;
}
