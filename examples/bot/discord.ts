import type { Front, Posted } from './front.ts';

/** The part of a discord.js `Client` that is used. Intents: Guilds, GuildMessages and MessageContent. */
export interface DiscordClient {
  on(event: 'messageCreate', listener: (message: DiscordMessage) => void): unknown;
}

interface DiscordMessage {
  readonly channelId: string;
  readonly content: string;
  readonly author: { readonly username: string; readonly bot: boolean };
  reply(text: string): Promise<Posted>;
}

/** Discord as a front. */
export function discord(client: DiscordClient): Front {
  return {
    maxLength: 2000,
    canEdit: true,
    listen: (onMessage) =>
      new Promise(() => {
        client.on('messageCreate', (message) => {
          const { author, channelId: room, content: text } = message;
          if (author.bot) return; // or it would talk to itself
          const post = (answer: string): Promise<Posted> => message.reply(answer);
          void onMessage({ room, from: author.username, text, post });
        });
      }),
  };
}
