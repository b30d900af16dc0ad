// Measures large frames: one of 16 MB against 16 of 1 MB, and one of 64 MB against one of 8 MB, in pieces as a network has them:
// node frames-worker.mjs ROUNDS
import { textMessage } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';

const MB = 1 << 20;
const PIECE = 1 << 16;
const data = 'iVBORw0KGgo'.repeat(Math.ceil((16 * MB) / 11)).slice(0, 16 * MB);

const events = (frames) => Buffer.from(frames.map((frame) => `data: ${frame}\n\n`).join(''));
/** Each protocol: an answer whose frames hold these texts. */
const answers = {
  openai: (texts) =>
    events([
      ...texts.map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })),
      JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      '[DONE]',
    ]),
  gemini: (texts) =>
    events(
      texts.map((text, at) =>
        JSON.stringify({
          candidates: [
            {
              content: { role: 'model', parts: [{ text }] },
              ...(at === texts.length - 1 && { finishReason: 'STOP' }),
            },
          ],
        }),
      ),
    ),
  ollama: (texts) =>
    Buffer.from(
      [
        ...texts.map((content) => ({ model: 'm', message: { role: 'assistant', content } })),
        {
          model: 'm',
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: 'stop',
        },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    ),
};

const types = { ollama: 'application/x-ndjson' };
const models = {
  openai: (fetch) => openai({ model: 'm', apiKey: 'none', baseURL: 'http://a.invalid/v1', fetch }),
  gemini: (fetch) => gemini({ model: 'm', apiKey: 'none', baseURL: 'http://a.invalid', fetch }),
  ollama: (fetch) => ollama({ model: 'm', host: 'http://a.invalid', fetch }),
};

async function measure(name, bytes) {
  const fetch = async () => {
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(new Uint8Array(bytes.subarray(at, (at += PIECE))));
      },
    });
    const type = types[name] ?? 'text/event-stream';
    return new Response(body, { headers: { 'content-type': type } });
  };
  const before = process.cpuUsage();
  const { text } = await models[name](fetch).generate({ messages: [textMessage('user', '?')] });
  const { user, system } = process.cpuUsage(before);
  if (text.length % (data.length / 2) !== 0) throw new Error(`${name}: ${text.length} characters`);
  return (user + system) / 1000;
}

const rounds = Number(process.argv[2]);
const found = {};
for (const name of Object.keys(models)) {
  const large = answers[name]([data]);
  const half = answers[name]([data.slice(0, 8 * MB)]);
  const fourfold = answers[name]([data.repeat(4)]);
  const small = answers[name](
    Array.from({ length: 16 }, (_, at) => data.slice(at * MB, (at + 1) * MB)),
  );
  // Frames of other sizes come one after the other, as each begins with what the one before has left in the memory.
  const several = async (bytes) => {
    const times = [];
    for (let round = 0; round <= rounds; round++) times.push(await measure(name, bytes));
    return times.slice(1);
  };
  const [halves, fourfolds] = [await several(half), await several(fourfold)];
  const pairs = [];
  for (let round = 0; round <= rounds; round++) {
    pairs.push({ small: await measure(name, small), large: await measure(name, large) });
  }
  found[name] = pairs
    .slice(1)
    .map((pair, at) => ({ ...pair, half: halves[at], fourfold: fourfolds[at] }));
}
console.log(JSON.stringify(found));
