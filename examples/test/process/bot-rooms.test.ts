// The bot on a platform that cannot edit: what people in several rooms see, and what remains of them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LLMError } from '@vizprompt/providers';
import type { Script } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { cut } from '../../bot/cut.ts';
import type { Message } from '../../bot/front.ts';
import { Poster } from '../../bot/post.ts';
import { type BotOptions, openBot, type OpenBot } from '../support/open-bot.ts';

interface Talked extends OpenBot {
  /** Says something, and returns the answers. */
  say(room: string, from: string, text: string): Promise<readonly string[]>;
}

async function talking(script: Script, options?: BotOptions): Promise<Talked> {
  const opened = await openBot(script, options);
  let hear: ((message: Message) => Promise<void>) | undefined;
  void opened.bot.serve({
    maxLength: 2000,
    canEdit: false,
    listen: (onMessage) => {
      hear = onMessage;
      return new Promise(() => undefined);
    },
  });
  return {
    ...opened,
    async say(room, from, text) {
      const answers: string[] = [];
      await hear?.({ room, from, text, post: async (answer) => (answers.push(answer), {}) });
      return answers;
    },
  };
}

/** Everything that the model is sent, as text. */
const sent: Script = ({ messages }) => JSON.stringify(messages);

describe('the bot', () => {
  it('uses nothing of a room in another, unless it is shared', async () => {
    const { say } = await talking(sent, { shared: ['public'] });
    await say('secret', 'Ann', 'The safe opens with 4711 marmots');
    await say('public', 'Ann', 'The canteen has marmots on Friday');
    const [answer = ''] = await say('other', 'Ann', 'What about the marmots?');
    expect(answer).toContain('canteen');
    expect(answer).not.toContain('4711');
    for (const room of ['Secret', 'secret ', 'secret:1', 'room:secret']) {
      const answers = await say(room, 'Ann', 'What about the marmots in the safe?');
      expect(answers.join('')).not.toContain('4711');
    }
  });

  it('keeps apart who said what, also when one replaces the prompt of another', async () => {
    const { say, vizprompt } = await talking(['one', 'two', 'three']);
    expect(await say('r', 'Ann', '/again')).toEqual([expect.stringContaining('nothing to answer')]);
    await say('r', 'Ann', 'The meeting is on Friday');
    await say('r', 'Bob', '！ＩＮＳＴＥＡＤ　The meeting is on Monday');
    const flow = await vizprompt.getFlow('room:r');
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(nodes.map(({ prompt }) => prompt)).toHaveLength(2);
    const [, second] = nodes;
    expect(JSON.stringify(second)).toContain('Bob');
    expect(JSON.stringify(second)).not.toContain('Ann');
    expect(flow.connections).toEqual([]);
    await say('r', 'Ann', '/again');
    expect((await vizprompt.getFlow('room:r')).nodes).toHaveLength(3);
    expect(await say('r', 'Ann', '/instead')).toEqual([expect.stringContaining('text after it')]);
  });

  it('says what became of an answer that failed or was empty', async () => {
    const { say, errors } = await talking([
      new LLMError('server', 'The model is away'),
      '',
      ' \n',
      'Back.',
    ]);
    expect(await say('r', 'Ann', 'hello')).toEqual(['I could not answer: The model is away']);
    expect(errors).toEqual([]);
    expect((await say('r', 'Ann', 'hello?')).join()).not.toBe('');
    expect((await say('r', 'Ann', 'hello??')).join()).not.toBe('');
    expect(await say('r', 'Ann', '/again')).toEqual(['Back.']);
  });

  it('refuses a flood once, and answers others meanwhile', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { say, model } = await talking(async ({ messages }) => {
      if (JSON.stringify(messages.at(-1)).includes('flood')) await gate;
      return 'ok';
    });
    const flood = Array.from({ length: 20 }, (_, at) => say('r', 'Ann', `flood ${at}`));
    expect(await say('other', 'Bob', 'hi')).toEqual(['ok']);
    open();
    const answers = (await Promise.all(flood)).flat();
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(3);
    expect(answers).toHaveLength(4);
    expect(model.calls).toHaveLength(4);
    expect(await say('r', 'Ann', 'and now?')).toEqual(['ok']);
  });

  it('continues each conversation after it was killed in the middle of an answer', async () => {
    const first = await talking(() => new Promise(() => undefined));
    void first.say('r', 'Ann', 'The kettle is broken');
    await expect.poll(() => first.model.calls.length).toBe(1);
    const again = await talking(sent, { folder: first.folder });
    const [answer = ''] = await again.say('r', 'Ann', 'What is broken?');
    expect(answer).toContain('The kettle is broken');
    expect((await again.vizprompt.check()).findings).toEqual([]);
    expect(await again.vizprompt.listFlows()).toHaveLength(1);
  });

  it('forgets a person to the last byte: talks, panels and debates', async () => {
    const { say, folder, close } = await talking((_, call) => `Answer ${call}.`);
    await say('a', 'Ann', 'My cat is called Quetzalcoatl');
    await say('b', 'Ann', 'Is it better to feed Huitzilopochtli in the morning?');
    await say('b', 'Ann', '/debate Should Tezcatlipoca eat fish');
    await say('b', 'Ann', 'Should I keep\nXipetotecnahuatl inside?');
    await say('a', 'Bob', 'My dog is called Rex the Second');
    expect(await say('a', 'Ann', '/forget')).toEqual(['Your messages are erased.']);
    await say('a', 'Bob', 'Hello again everyone');
    await close();
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const bytes = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => [
          file.name,
          (await readFile(join(file.parentPath, file.name))).toString('latin1'),
        ]),
    );
    for (const word of ['Quetzalcoatl', 'Huitzilopochtli', 'Tezcatlipoca', 'Xipetotecnahuatl']) {
      const holders = bytes.filter(([, text]) => text?.includes(word)).map(([name]) => name);
      expect([word, holders]).toEqual([word, []]);
    }
    expect(bytes.some(([, text]) => text?.includes('Rex the Second'))).toBe(true);
  });
});

describe('a long answer', () => {
  it.each([
    ['', 10, []],
    [' \n ', 1, []],
    ['short', 10, ['short']],
    ['a'.repeat(25), 10, [10, 10, 5]],
    ['one two three four', 10, ['one two', 'three four']],
    ['  indented\n    code here that is long', 20, ['  indented', '    code here that', 'is long']],
    ['e\u0301'.repeat(6), 5, ['e\u0301e\u0301', 'e\u0301e\u0301', 'e\u0301e\u0301']],
    ['🇯🇵🇫🇷🇩🇪', 5, ['🇯🇵', '🇫🇷', '🇩🇪']],
  ] as const)('%j is cut at %i', (text, most, expected) => {
    const pieces = cut(text, most);
    const given = expected.map((piece) => (typeof piece === 'number' ? 'a'.repeat(piece) : piece));
    expect(pieces).toEqual(given);
  });

  it('is never longer than it may be, and loses nothing', () => {
    const texts = [
      '```js\n' + 'x = "```";\n'.repeat(30) + '```',
      'a ```b``` c\n'.repeat(30),
      '```\n' + 'y'.repeat(300) + '\n```\nend ' + '👩🏽‍🚀'.repeat(40),
      '& < > '.repeat(100),
      'Z' + '\u0301'.repeat(400),
    ];
    for (const text of texts) {
      for (const most of [40, 57, 100, 1999]) {
        const pieces = cut(text, most, (piece) => piece.replaceAll('&', '&amp;').length);
        for (const piece of pieces) {
          expect(piece.replaceAll('&', '&amp;').length).toBeLessThanOrEqual(most);
          expect(piece.isWellFormed()).toBe(true);
        }
        const bare = (whole: string): string => whole.replaceAll(/\s|```\w*/g, '');
        expect(bare(pieces.join(''))).toBe(bare(text));
      }
    }
  });

  it('removes the rest of a longer one, and does not make the model wait', async () => {
    const shown = new Map<number, string>();
    let count = 0;
    const post = async (
      text: string,
    ): Promise<{ edit(text: string): Promise<void>; remove(): Promise<boolean> }> => {
      const at = count++;
      shown.set(at, text);
      return {
        edit: async (changed) => void shown.set(at, changed),
        remove: async () => shown.delete(at),
      };
    };
    const message = { room: 'r', from: 'Ann', text: 'x', post };
    const poster = new Poster(message, { maxLength: 10, canEdit: true }, { every: 0 });
    void poster.show('one two three four five');
    void poster.show('not yet, as the last one is on its way');
    await poster.end('short');
    expect([...shown.values()]).toEqual(['short']);
  });
});
