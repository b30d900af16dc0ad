/** A message of a person, which can be answered. */
export interface Message {
  /** The id of the message, where a platform may deliver it more than once. */
  readonly id?: string | undefined;
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
  /** Removes it, on a front that can edit. */
  remove?(): Promise<unknown>;
}

/** A platform where people talk to the bot. Fronts and the bot do not depend on each other. */
export interface Front {
  /** The maximum length of one message on the platform. */
  readonly maxLength: number;
  /** Returns the length of a text as the platform counts it. Default: in UTF-16 units. */
  readonly lengthOf?: (text: string) => number;
  /** True if a posted message can be edited: answers are then streamed. */
  readonly canEdit: boolean;
  /** Passes each message to the listener, which never rejects. Resolves when the front closes. */
  listen(onMessage: (message: Message) => Promise<void>): Promise<void>;
}
