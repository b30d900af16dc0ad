import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shapeOf, testProject } from '../support/open-project.ts';

const QUESTION = '{"role":"user","content":"やあ \ufffd"}\n';
const ANSWER = '{"role":"assistant","content":"はい"}\n';

describe('bytes that are no UTF-8', () => {
  it('at the end of a truncated log cost that line only', async () => {
    const { vizprompt, folder } = await testProject();
    const torn = Buffer.from(`${QUESTION}${ANSWER}{"role":"user","content":"切`).subarray(0, -1);
    await writeFile(join(folder, 'log.jsonl'), torn);
    const report = await vizprompt.importConversations(join(folder, 'log.jsonl'));
    expect((await shapeOf(vizprompt)).nodes).toEqual(['やあ \ufffd / はい']);
    expect(report.warnings).toMatchObject([{ reason: expect.stringContaining('line 3') }]);
  });

  it('are reported, and do not hide the rest of the file, nor other files', async () => {
    const { vizprompt, folder } = await testProject();
    const broken = Buffer.from(`${QUESTION}${ANSWER}`);
    broken[broken.indexOf('は')] = 0xff;
    await writeFile(join(folder, 'a.jsonl'), broken);
    await writeFile(join(folder, 'b.jsonl'), `${QUESTION}${ANSWER}`);
    const [a, b] = ['a', 'b'].map((name) => join(folder, `${name}.jsonl`));
    const damaged = await vizprompt.importConversations(a ?? '');
    expect(damaged.warnings).toMatchObject([{ reason: expect.stringContaining('no UTF-8') }]);
    expect((await shapeOf(vizprompt)).nodes).toEqual([
      expect.stringMatching(/^やあ \ufffd \/ \ufffd+い$/),
    ]);
    expect((await vizprompt.importConversations(b ?? '')).warnings).toEqual([]);
  });
});

/** Returns the nodes of the chat in a file. */
async function nodesIn(name: string, content: string): Promise<readonly string[]> {
  const { vizprompt, folder } = await testProject();
  await writeFile(join(folder, name), content);
  await vizprompt.importConversations(join(folder, name));
  return (await shapeOf(vizprompt)).nodes;
}

const inTelegram = (id: number, from: string, text: string): string =>
  `<div class="message default clearfix${from === '' ? ' joined' : ''}" id="message${id}">` +
  '<div class="pull_left userpic_wrap"><div class="initials">K</div></div><div class="body">' +
  `<div class="pull_right date details" title="01.05.2026 10:00:0${id} UTC+03:00">10:00</div>` +
  `${from === '' ? '' : `<div class="from_name">\n${from} \n</div>`}<div class="text">\n${text}\n</div></div></div>`;

it('a chat of Telegram Desktop is read from its page', async () => {
  const media =
    '<div class="message default clearfix" id="message6"><div class="body"><div class="from_name">Kim</div>' +
    '<div class="forwarded body"><div class="from_name">Lee</div><div class="media_wrap clearfix">' +
    '<a class="media clearfix media_file" href="files/a.pdf"><div class="title bold">a.pdf</div></a></div></div></div></div>';
  const page =
    '<!DOCTYPE html><html><body><div class="page_header"><div class="text bold">\nCat Bot \n</div></div>' +
    '<div class="message service" id="message-1"><div class="body details">1 May 2026</div></div>' +
    inTelegram(1, 'Kim', 'Q &amp; <strong>more</strong>') +
    inTelegram(2, 'Cat Bot', 'A') +
    inTelegram(3, '', 'B') +
    media;
  expect(await nodesIn('messages.html', `${page}</body></html>`)).toEqual([
    'Q & more / A\n\nB',
    'a.pdf / ',
  ]);
});

it.each([
  ['a.txt', 'data: {"type":"message_start","message":{"id":"m","role":"assistant"}}\n\n'],
  ['a.sse', ': ping\n\n'],
  ['a.jsonl', 'event: content_block_delta\r\n'],
])('events of a server are read from a text: %s', async (name, first) => {
  const piece = (text: string): string =>
    `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"${text}"}}\n\n`;
  const text = `${first}${piece('Hello ')}${piece('there')}data: [DONE]\n`;
  expect(await nodesIn(name, text)).toEqual([' / Hello there']);
});

it('items of two runs that count from 0 are different messages', async () => {
  const lines = ['one', 'two'].flatMap((text) => [
    { type: 'thread.started', thread_id: text },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } },
  ]);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect((await nodesIn('a.jsonl', text)).join(' ')).toMatch(/one[^]*two/);
});
