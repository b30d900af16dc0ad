/** A message of a person, and the way to answer it. */
export interface Message {
  /** Where it was said: a channel, a thread, the terminal. Each room has conversations of its own. */
  readonly room: string;
  readonly from: string;
  readonly text: string;
  reply(text: string): Promise<void>;
}

/** Where people talk to the bot. A front knows nothing of the bot, and the bot nothing of fronts. */
export interface Front {
  /** Gives each message to the listener. Resolves when no more messages can come. */
  listen(onMessage: (message: Message) => Promise<void>): Promise<void>;
}
