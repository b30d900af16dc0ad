import type { Front, Message, Posted } from './front.ts';

/** The part of a discord.js `Client` that is used. Intents: Guilds, GuildMessages and MessageContent. */
export interface DiscordClient {
  readonly user?: { readonly id: string } | null;
  readonly options?: {
    allowedMentions?: { readonly parse?: readonly string[]; readonly repliedUser?: boolean };
    failIfNotExists?: boolean;
  };
  on(event: 'messageCreate', listener: (message: DiscordMessage) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface DiscordMessage {
  readonly id?: string;
  readonly channelId: string;
  readonly content: string;
  /** True for notes of Discord itself, such as that a channel was renamed. */
  readonly system?: boolean;
  readonly webhookId?: string | null;
  readonly author: { readonly username: string; readonly bot: boolean };
  readonly mentions?: {
    readonly users: { get(id: string): { readonly username: string } | undefined };
  };
  readonly attachments?: { map(name: (file: { readonly name: string }) => string): string[] };
  reply(text: string): Promise<DiscordPosted>;
}

interface DiscordPosted {
  edit(text: string): Promise<unknown>;
  delete?(): Promise<unknown>;
}

/** Discord as a front. */
export function discord(
  client: DiscordClient,
  onError: (error: Error) => void = console.error,
): Front {
  return {
    maxLength: 2000,
    canEdit: true,
    listen: (onMessage) =>
      new Promise(() => {
        // A client without a listener of errors ends the process at the first one.
        client.on('error', onError);
        if (client.options) {
          // An answer that quotes `@everyone` notifies no one, and a deleted question is answered all the same.
          client.options.allowedMentions ??= { parse: [], repliedUser: true };
          client.options.failIfNotExists = false;
        }
        client.on('messageCreate', (message) => {
          const read = messageOf(message, client.user?.id);
          if (read) void onMessage(read);
        });
      }),
  };
}

function messageOf(message: DiscordMessage, own: string | undefined): Message | undefined {
  const { id, channelId: room, author, content, mentions, webhookId = null } = message;
  // Bots would answer each other without end.
  if (author.bot || webhookId !== null || message.system === true) return undefined;
  const said = content.replaceAll(/<@!?(\d+)>/g, (mention: string, user: string) => {
    if (user === own) return '';
    const name = mentions?.users.get(user)?.username;
    return name === undefined ? mention : `@${name}`;
  });
  if (said.trim() === '') return undefined;
  const files = message.attachments?.map(({ name }) => `[${name}]`) ?? [];
  const text = [said.trim(), ...files].join('\n');
  const post = async (answer: string): Promise<Posted> => {
    const posted = await message.reply(answer);
    return { edit: (changed) => posted.edit(changed), remove: async () => posted.delete?.() };
  };
  return { id, room, from: author.username, text, post };
}
