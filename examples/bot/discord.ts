import type { Front } from './front.ts';

/** The part of a `Client` of discord.js that is needed, with the intents Guilds, GuildMessages and MessageContent. */
export interface DiscordClient {
  on(event: 'messageCreate', listener: (message: DiscordMessage) => void): unknown;
}

interface DiscordMessage {
  readonly channelId: string;
  readonly content: string;
  readonly author: { readonly username: string; readonly bot: boolean };
  reply(text: string): Promise<unknown>;
}

/** Discord as a front. Slack looks the same: `app.message(({ message, say }) => …)` of Bolt. */
export function discord(client: DiscordClient): Front {
  return {
    listen: (onMessage) =>
      new Promise((_, reject) => {
        client.on('messageCreate', (message) => {
          const { author, channelId: room, content: text } = message;
          if (author.bot) return; // or it would talk to itself
          const reply = async (answer: string): Promise<void> => void (await message.reply(answer));
          onMessage({ room, from: author.username, text, reply }).catch(reject);
        });
      }),
  };
}
