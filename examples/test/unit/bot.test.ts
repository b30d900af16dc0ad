import { EventEmitter } from 'node:events';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import type { ChatModel, Retriever } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Bot, type BotParts } from '../../bot/bot.ts';
import { discord } from '../../bot/discord.ts';
import type { Front, Message, Posted } from '../../bot/front.ts';
import { line } from '../../bot/line.ts';
import { cut, Poster } from '../../bot/post.ts';
import { Rooms } from '../../bot/rooms.ts';
import { slack } from '../../bot/slack.ts';
import { WORDS } from '../../bot/words.ts';

const NOTHING: Retriever = { specVersion: 1, retrieve: async () => [] };

/** A platform on which a test speaks: what the bot says is collected by room. */
class Platform implements Front {
  readonly maxLength = 60;
  readonly canEdit = true;
  readonly said: { room: string; text: string }[] = [];
  readonly forbidden = new Set<string>();
  #hear: (message: Message) => Promise<void> = async () => undefined;

  listen(onMessage: (message: Message) => Promise<void>): Promise<void> {
    this.#hear = onMessage;
    return new Promise(() => undefined);
  }

  async say(room: string, from: string, text: string): Promise<void> {
    const post = async (answer: string): Promise<Posted> => {
      if (this.forbidden.has(room)) throw new Error('Missing Permissions');
      const posted = { room, text: answer };
      this.said.push(posted);
      return { edit: async (changed) => void (posted.text = changed) };
    };
    await this.#hear({ room, from, text, post });
  }

  textsOf(room: string): readonly string[] {
    return this.said.filter((each) => each.room === room).map(({ text }) => text);
  }
}

async function openBot(
  model: ChatModel,
  more: Partial<BotParts> = {},
): Promise<{ platform: Platform; parts: BotParts; errors: unknown[] }> {
  const storage = await inMemoryStorage();
  const vizprompt = await VizPrompt.open({ storage, model });
  const memory = await MemoryStore.open({ storage });
  onTestFinished(async () => {
    await vizprompt.close();
    await memory.close();
  });
  const engine = new Proxy({}, { get: () => () => Promise.reject(new Error('no panel')) });
  const errors: unknown[] = [];
  const parts: BotParts = {
    vizprompt,
    memory,
    notes: NOTHING,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing hard is asked here
    engine: engine as WorkflowEngine,
    talk: { specVersion: 1, name: 'talk', run: () => Promise.reject(new Error('no talk')) },
    words: WORDS.en,
    onError: (error) => errors.push(error),
    ...more,
  };
  const platform = new Platform();
  void new Bot(parts).serve(platform);
  return { platform, parts, errors };
}

describe('a bot', () => {
  it('survives a start that fails, and a channel without permission', async () => {
    const { platform, parts, errors } = await openBot(scriptedModel(['hidden', 'one', 'two']));
    const { ensureFlow } = parts.vizprompt;
    parts.vizprompt.ensureFlow = () => Promise.reject(new Error('disk full'));
    await platform.say('a', 'ann', 'hello');
    parts.vizprompt.ensureFlow = ensureFlow;
    platform.forbidden.add('b');
    await platform.say('b', 'ann', 'hello');
    await platform.say('a', 'ann', 'hello');
    await platform.say('c', 'bob', 'hello');
    expect(platform.textsOf('a')).toEqual(['I could not answer: disk full', 'one']);
    expect(platform.textsOf('c')).toEqual(['two']);
    expect(errors).toMatchObject([{ message: 'Missing Permissions' }]);
  });

  it('continues in the same conversation after a restart, one question after the other', async () => {
    const { platform, parts } = await openBot(scriptedModel((_, call) => `answer ${call}`));
    await Promise.all(['x', 'y'].map((text) => platform.say('a', 'ann', text)));
    const other = new Platform();
    void new Bot(parts).serve(other);
    await other.say('a', 'bob', 'z');
    const flow = await parts.vizprompt.getFlow('room:a');
    expect(flow.nodes).toHaveLength(3);
    expect(flow.connections).toHaveLength(2);
    expect(await parts.memory.listSessions({ room: 'a' })).toMatchObject([{ event_count: 6 }]);
    expect((await parts.vizprompt.listFlows()).length).toBe(1);
  });

  it('uses what was said in a room in no other, unless the room is shared', async () => {
    const model = scriptedModel(({ messages }) => JSON.stringify(messages));
    const { platform } = await openBot(model, { shared: ['board'] });
    await platform.say('board', 'ann', 'The heating code is 4711');
    await platform.say('private', 'ann', 'The heating key is under the mat');
    await platform.say('kitchen', 'bob', 'Where is the heating key, what is the heating code?');
    const heard = platform.textsOf('kitchen').join('');
    expect(heard).toContain('4711');
    expect(heard).not.toContain('mat');
  });

  it('erases a person', async () => {
    const { platform, parts } = await openBot(scriptedModel(['noted', 'ok']));
    await platform.say('a', 'ann', 'my secret');
    await platform.say('a', 'ann', '/forget');
    expect(platform.textsOf('a')).toEqual(['noted', 'Your messages are erased.']);
    expect(await parts.vizprompt.searchNodes({ text: 'secret' })).toEqual([]);
    expect(JSON.stringify(await parts.memory.search('secret'))).not.toContain('my secret');
  });
});

describe('an answer', () => {
  it('is cut where people would cut it, and loses nothing', () => {
    const text = `${'word '.repeat(30)}\n\n${'字'.repeat(50)}。${'😀'.repeat(40)}`;
    const pieces = cut(text, 40);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    expect(pieces.every((piece) => piece.isWellFormed?.() ?? true)).toBe(true);
    expect(cut('short', 40)).toEqual(['short']);
    expect(cut('', 40)).toEqual([]);
  });

  it('is seen as it comes, by few edits, and whole in the end', async () => {
    let now = 0;
    const edits: string[] = [];
    const posts: string[] = [];
    const message: Message = {
      room: 'a',
      from: 'ann',
      text: '',
      async post(text) {
        posts.push(text);
        return { edit: async (changed) => edits.push(changed) };
      },
    };
    const front = { maxLength: 30, canEdit: true };
    const poster = new Poster(message, front, { every: 10, now: () => now });
    for (const length of [1, 5, 9, 13, 17, 21]) {
      await poster.show('abcdefghijklmnopqrstuvwxyz'.slice(0, length));
      now += 4;
    }
    await poster.end('abcdefghijklmnopqrstuvwxyz and the rest');
    expect(posts).toEqual(['a …', 'and the rest']);
    expect(edits).toEqual(['abcdefghijklm …', 'abcdefghijklmnopqrstuvwxyz']);
  });
});

describe('rooms', () => {
  it('take turns, and no more of one person than is fair', async () => {
    const rooms = new Rooms(2);
    const order: string[] = [];
    const gates = [0, 1].map(() => {
      let open = (): void => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      return { gate, open };
    });
    const first = rooms.run('a', 'ann', async () => {
      await gates[0]?.gate;
      order.push('first');
      throw new Error('away');
    });
    const second = rooms.run('a', 'ann', async () => void order.push('second'));
    expect(await rooms.run('b', 'ann', async () => void order.push('third'))).toBe(false);
    expect(await rooms.run('b', 'bob', async () => void order.push('other'))).toBe(true);
    gates[0]?.open();
    await expect(first).rejects.toThrow('away');
    expect(await second).toBe(true);
    expect(order).toEqual(['other', 'first', 'second']);
    expect(await rooms.run('b', 'ann', async () => undefined)).toBe(true);
  });
});

describe('a front', () => {
  const heard = (): { messages: Message[]; listen: (message: Message) => Promise<void> } => {
    const messages: Message[] = [];
    return { messages, listen: async (message) => void messages.push(message) };
  };

  it('of Discord hears people, and no bots', async () => {
    const client = new EventEmitter();
    const { messages, listen } = heard();
    void discord(client).listen(listen);
    const replies: string[] = [];
    const message = (username: string, bot: boolean): object => ({
      channelId: 'c1',
      content: 'いる？',
      author: { username, bot },
      reply: async (text: string) => ({ edit: async () => replies.push(text) }),
    });
    client.emit('messageCreate', message('アン', false));
    client.emit('messageCreate', message('bot', true));
    expect(messages).toMatchObject([{ room: 'c1', from: 'アン', text: 'いる？' }]);
    await (await messages[0]?.post('はい'))?.edit?.('はい！');
    expect(replies).toEqual(['はい']);
  });

  it('of Slack answers in threads and edits, and hears no edits and no bots', async () => {
    const calls: unknown[] = [];
    let say: (event: { message: never }) => Promise<void> = async () => undefined;
    const { messages, listen } = heard();
    void slack({
      message: (listener) => (say = listener),
      client: {
        chat: {
          postMessage: async (message) => (calls.push(message), { ts: '2' }),
          update: async (message) => calls.push(message),
        },
      },
    }).listen(listen);
    const own = { channel: 'C', ts: '1', user: 'U', text: 'hi' };
    for (const message of [own, { ...own, bot_id: 'B' }, { ...own, subtype: 'message_changed' }]) {
      await say({ message: message as never });
    }
    expect(messages).toMatchObject([{ room: 'C:1', from: 'U', text: 'hi' }]);
    await (await messages[0]?.post('one'))?.edit?.('two');
    expect(calls).toEqual([
      { channel: 'C', text: 'one', thread_ts: '1' },
      { channel: 'C', ts: '2', text: 'two' },
    ]);
  });

  it('of LINE replies once and pushes the rest', async () => {
    const calls: unknown[] = [];
    const { messages, listen } = heard();
    const front = line({
      replyMessage: async (request) => calls.push(request),
      pushMessage: async (request) => calls.push(request),
    });
    void front.listen(listen);
    const source = { userId: 'U', groupId: 'G' };
    front.events([
      { type: 'message', replyToken: 'T', source, message: { type: 'text', text: 'やあ' } },
      { type: 'message', replyToken: 'T2', source, message: { type: 'sticker' } },
      { type: 'follow', source },
    ]);
    expect(messages).toMatchObject([{ room: 'G', from: 'U', text: 'やあ' }]);
    await messages[0]?.post('一');
    await messages[0]?.post('二');
    expect(calls).toEqual([
      { replyToken: 'T', messages: [{ type: 'text', text: '一' }] },
      { to: 'G', messages: [{ type: 'text', text: '二' }] },
    ]);
  });
});
