/** Something that a person said, and the way to answer it. */
export interface Message {
  /** Where it was said: a channel, a thread, the terminal. Each room has one conversation. */
  readonly room: string;
  /** Who said it, by a name that nobody else has on this platform. */
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

/** Where people talk to the bot. A front knows nothing of the bot, and the bot nothing of fronts. */
export interface Front {
  /** The most UTF-16 units of one message of the platform. */
  readonly maxLength: number;
  /** Whether what was posted can be edited: then an answer is seen as it comes. */
  readonly canEdit: boolean;
  /** Gives each message to the listener. Resolves when nobody can say anything any more. */
  listen(onMessage: (message: Message) => Promise<void>): Promise<void>;
}
