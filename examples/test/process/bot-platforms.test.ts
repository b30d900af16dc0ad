// The fronts of the bot with the libraries of their platforms, which talk to platforms of this process.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { messagingApi, middleware } from '@line/bot-sdk';
import { App, LogLevel } from '@slack/bolt';
import type { Script } from '@vizprompt/providers/testing';
import { Client, GatewayIntentBits } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { discord } from '../../bot/discord.ts';
import { line } from '../../bot/line.ts';
import { slack } from '../../bot/slack.ts';
import { type BotOptions, type OpenBot, openBot } from '../support/open-bot.ts';
import { FakeDiscord } from '../support/platforms/fake-discord.ts';
import { FakeLine } from '../support/platforms/fake-line.ts';
import { FakeSlack, type SlackEvent } from '../support/platforms/fake-slack.ts';

const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;

async function onDiscord(
  script: Script,
  options?: BotOptions,
): Promise<OpenBot & { readonly platform: FakeDiscord }> {
  const platform = await FakeDiscord.start();
  onTestFinished(() => platform[Symbol.asyncDispose]());
  const client = new Client({
    intents: [Guilds, GuildMessages, MessageContent],
    rest: { api: platform.url },
  });
  const opened = await openBot(script, options);
  void opened.bot.serve(discord(client, (error) => void opened.errors.push(error)));
  const ready = once(client, 'clientReady');
  await client.login(platform.token);
  await ready;
  onTestFinished(() => client.destroy());
  return { ...opened, platform };
}

interface OnSlack extends OpenBot {
  readonly platform: FakeSlack;
  readonly webhook: string;
  /** Delivers a message. */
  say(text: string, more?: object): Promise<SlackEvent>;
}

async function onSlack(script: Script, options?: BotOptions): Promise<OnSlack> {
  const platform = await FakeSlack.start();
  onTestFinished(() => platform[Symbol.asyncDispose]());
  const { token, secret: signingSecret } = platform;
  const clientOptions = { slackApiUrl: platform.url };
  const app = new App({ token, signingSecret, clientOptions, logLevel: LogLevel.ERROR });
  const server = await app.start(0);
  onTestFinished(async () => void (await app.stop()));
  const address = 'address' in server ? server.address() : null;
  const port = typeof address === 'object' ? address?.port : undefined;
  const webhook = `http://127.0.0.1:${port}/slack/events`;
  const opened = await openBot(script, options);
  void opened.bot.serve(slack(app));
  const say = async (text: string, more?: object): Promise<SlackEvent> => {
    const message = platform.message(text, more);
    expect(await platform.deliver(webhook, message)).toBe(200);
    return message;
  };
  return { ...opened, platform, webhook, say };
}

async function onLine(
  script: Script,
  options?: BotOptions,
): Promise<OpenBot & { readonly platform: FakeLine; readonly webhook: string }> {
  const platform = await FakeLine.start();
  onTestFinished(() => platform[Symbol.asyncDispose]());
  const { token: channelAccessToken, secret: channelSecret, url: baseURL } = platform;
  const front = line(new messagingApi.MessagingApiClient({ channelAccessToken, baseURL }));
  const check = middleware({ channelSecret });
  const server = createServer((request, response) => {
    void check(Object.assign(request, { body: undefined }), response, (error?: unknown) => {
      response.writeHead(error === undefined ? 200 : 401).end();
      if (error === undefined && 'body' in request) front.events(Object(request.body).events);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const opened = await openBot(script, options);
  void opened.bot.serve(front);
  return { ...opened, platform, webhook: `http://127.0.0.1:${port}/` };
}

const echo: Script = ({ messages }) => `You said ${JSON.stringify(messages.at(-1)?.parts)}`;
const family = '👨‍👩‍👧‍👦';

describe('on Discord, the bot', () => {
  it('answers people, in their words, and no one else', async () => {
    const { platform, errors, model } = await onDiscord(echo);
    const [, other] = platform.channels;
    const bob = { id: '300000000000000009', username: 'bob', discriminator: '0', avatar: null };
    platform.say('from a bot', { author: { ...bob, bot: true } });
    platform.say('from a webhook', { webhook_id: '5' });
    platform.say('the new name of a channel', { type: 4 });
    platform.say('', {
      attachments: [{ id: '1', filename: 'a.png', size: 1, url: 'x', proxy_url: 'x' }],
    });
    platform.say(`<@${platform.bot}>`);
    const attachments = [{ id: '2', filename: '猫.png', size: 1, url: 'x', proxy_url: 'x' }];
    const id = platform.say(`<@${platform.bot}> do you know <@${bob.id}>? @everyone`, {
      mentions: [bob],
      attachments,
    });
    platform.say('／ｍａｐ', { channel_id: other });
    platform.event('MESSAGE_UPDATE', { id, channel_id: platform.channels[0], content: 'changed' });
    await expect.poll(() => platform.posts.length).toBe(2);
    const answer = platform.posts.find(({ replyTo }) => replyTo === id);
    await expect.poll(() => answer?.content).toContain('do you know @bob? @everyone\\n[猫.png]"');
    expect(answer?.mentions).toEqual({ parse: [], replied_user: true });
    expect(model.calls).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  it('answers what came while the connection was lost, and what came twice once', async () => {
    const { platform, model, errors } = await onDiscord(echo);
    platform.drop();
    const id = platform.say('while it was away');
    await expect.poll(() => platform.resumed, { timeout: 60_000 }).toBe(1);
    platform.say('again', { id });
    platform.say('and later');
    await expect.poll(() => platform.posts.length, { timeout: 60_000 }).toBe(2);
    expect(model.calls).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it('continues when it may not write, is asked to wait, or its messages are deleted', async () => {
    const long = 'All of this is a long answer. '.repeat(30).trim();
    const { platform, errors } = await onDiscord(() => long, { chunkDelayMs: 20 });
    const [first = '', second = ''] = platform.channels;
    platform.closed.add(second);
    platform.say('you may not answer here', { channel_id: second });
    await expect.poll(() => errors).toMatchObject([{ code: 50_013 }]);

    platform.limited = 2;
    const gone = platform.say('deleted before it is answered');
    platform.deleted.add(gone);
    await expect.poll(() => platform.posts.length, { timeout: 60_000 }).toBe(1);
    expect(platform.refusals).toBe(2);
    // A moderator removes the answer while it is written.
    platform.posts.length = 0;
    await expect.poll(() => platform.posts.map(({ content }) => content)).toEqual([long]);

    platform.channels.splice(0, 1);
    platform.say('the channel is deleted', { channel_id: first });
    await expect.poll(() => errors.at(-1)).toMatchObject({ code: 10_003 });
    platform.closed.clear();
    platform.say('still there?', { channel_id: second });
    await expect.poll(() => platform.posts.at(-1)?.content).toBe(long);
    expect(errors).toHaveLength(2);
  });

  it('cuts long answers at the limit, with whole characters and blocks of code', async () => {
    const code = `\`\`\`ts\n${'const cat = "meow";\n'.repeat(200)}\`\`\``;
    const text = `Here:\n\n${code}\n\n${family.repeat(400)}`;
    const { platform, errors } = await onDiscord(() => text);
    platform.say('long please');
    const all = (): string => platform.posts.map(({ content }) => content).join('');
    await expect.poll(() => all().split(family).length, { timeout: 60_000 }).toBe(401);
    await expect.poll(all).not.toContain('…');
    const posts = platform.posts.map(({ content }) => content);
    for (const post of posts) {
      expect(post.length).toBeLessThanOrEqual(2000);
      expect((post.match(/```/g) ?? []).length % 2).toBe(0);
      expect(post.replaceAll(family, '')).not.toMatch(/[\u{1F466}-\u{1F469}\u200D]/u);
    }
    expect(all().match(/const cat = "meow";/g)).toHaveLength(200);
    expect(errors).toEqual([]);
  });
});

describe('on Slack, the bot', () => {
  it('answers in threads and in direct messages, once however often Slack sends it', async () => {
    const { platform, webhook, say, model, vizprompt, errors } = await onSlack(echo);
    const message = platform.message('<@UBOT> is 1 &lt; 2? <!channel> <https://x.test|the page>');
    expect(await platform.deliver(webhook, message, { secret: 'wrong' })).toBe(401);
    for (const retry of [0, 1, 2, 3]) {
      const more = retry === 0 ? {} : { retry };
      expect(await platform.deliver(webhook, message, more)).toBe(200);
    }
    const thread = message.ts;
    await say('in the thread', { thread_ts: thread, user: 'UBOB' });
    await say('with a file', {
      subtype: 'file_share',
      thread_ts: thread,
      files: [{ name: 'a.pdf' }],
    });
    await say('a bot', { bot_id: 'B2' });
    await say('joined', { subtype: 'channel_join' });
    const changed = { message: message, previous_message: message, subtype: 'message_changed' };
    await say('an edit', changed);
    await say('private', { channel: 'D1', channel_type: 'im', user: 'UBOB' });
    await say('private again', { channel: 'D1', channel_type: 'im', user: 'UBOB' });
    await expect.poll(() => platform.posts.length, { timeout: 60_000 }).toBe(5);
    expect(model.calls).toHaveLength(5);
    await expect
      .poll(() => platform.posts.map(({ text }) => text).toSorted())
      .toEqual([
        // With more than one person, the model receives their names.
        'You said [{"type":"text","text":"UANN: with a file\\n[a.pdf]"}]',
        'You said [{"type":"text","text":"UBOB: in the thread"}]',
        'You said [{"type":"text","text":"is 1 &lt; 2? &lt;!channel&gt; the page"}]',
        'You said [{"type":"text","text":"private again"}]',
        'You said [{"type":"text","text":"private"}]',
      ]);
    const threads = platform.posts.map((post) => [post.channel, post.thread]);
    expect(new Set(threads.map(String))).toEqual(new Set([`C1,${thread}`, 'D1,']));
    const flows = await vizprompt.listFlows();
    expect(flows.map(({ nodes }) => nodes).toSorted((a, b) => a - b)).toEqual([2, 3]);
    expect(errors).toEqual([]);
  });

  it('waits where Slack asks it to, and survives what is closed, deleted or too long', async () => {
    const long = `${'<a & b> '.repeat(1500)}${family}`;
    const { platform, say, errors } = await onSlack(() => long);
    platform.closed.add('C2');
    await say('not a member here', { channel: 'C2' });
    await expect.poll(() => errors.map(String).join()).toContain('not_in_channel');
    platform.limited = 1;
    await say('！ long please');
    await expect
      .poll(() => platform.posts.at(-1)?.text.endsWith(family), { timeout: 60_000 })
      .toBe(true);
    expect(platform.refusals).toBe(1);
    expect(Math.max(...platform.posts.map(({ text }) => text.length))).toBeLessThanOrEqual(4000);
    const all = platform.posts.map(({ text }) => text).join(' ');
    expect(all.match(/&lt;a &amp; b&gt;/g)).toHaveLength(1500);
    expect(errors).toHaveLength(1);
  });
});

describe('on LINE, the bot', () => {
  it('replies for nothing while it can, and pushes the rest', async () => {
    const { platform, webhook, errors, model } = await onLine(echo);
    const say = async (...events: object[]): Promise<void> => {
      expect(await platform.deliver(webhook, events)).toBe(200);
    };
    expect(await platform.deliver(webhook, [platform.message('forged')], 'wrong')).toBe(401);
    const hello = platform.message('hello');
    // LINE delivers again what it believes to be lost.
    await say(hello, { ...hello, deliveryContext: { isRedelivery: true } });
    const message = { type: 'text', id: '9', text: '@bot 元気?' };
    const mention = { mentionees: [{ index: 0, length: 4, type: 'user', isSelf: true }] };
    await say(
      platform.message('', { group: 'Cgroup', more: { message: { ...message, mention } } }),
      platform.message('', { more: { message: { type: 'sticker', id: '1' } } }),
      platform.message('another answers', { more: { mode: 'standby' } }),
      { type: 'follow', mode: 'active', source: { type: 'user', userId: 'U' }, replyToken: 'x' },
    );
    await expect.poll(() => platform.posted.length).toBe(2);
    expect(platform.posted.toSorted((a, b) => (a.to < b.to ? -1 : 1))).toEqual([
      { by: 'reply', to: 'Cgroup', text: 'You said [{"type":"text","text":"元気?"}]' },
      { by: 'reply', to: 'Uann', text: 'You said [{"type":"text","text":"hello"}]' },
    ]);
    expect(model.calls).toHaveLength(2);

    const late = platform.message('late');
    platform.expireTokens();
    await say(late);
    await expect.poll(() => platform.posted.at(-1)).toMatchObject({ by: 'push', to: 'Uann' });
    platform.gone.add('Ublocked');
    await say(platform.message('bye', { from: 'Ublocked' }));
    await expect.poll(() => errors).toMatchObject([{ status: 403 }]);
  });

  it('cuts long answers', async () => {
    const long = `${'猫が鳴いた。'.repeat(2000)}終`;
    const { platform, webhook, errors } = await onLine(() => long);
    await platform.deliver(webhook, [platform.message('long')]);
    await expect.poll(() => platform.posted.at(-1)?.text.endsWith('終')).toBe(true);
    expect(platform.posted.map(({ by }) => by)).toEqual(['reply', 'push', 'push']);
    expect(platform.posted.map(({ text }) => text).join('')).toBe(long);
    expect(errors).toEqual([]);
  });
});
