// Measures one SDK against its adapter: node worker.mjs SDK URL PAIRS
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai } from '@vizprompt/providers/openai';
import { textMessage } from '@vizprompt/providers';

const [, , sdk, url, pairs] = process.argv;
const KEY = 'none';

/** For each SDK: its bare use, and the adapter. Both give the text they got. */
const sides = {
  async openai() {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
    return {
      model: openai({ model: 'fake', apiKey: KEY, baseURL: `${url}/v1` }),
      async bare(prompt) {
        const stream = await client.chat.completions.create({
          model: 'fake',
          messages: [{ role: 'user', content: prompt }],
          stream: true,
          stream_options: { include_usage: true },
        });
        let text = '';
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        return text;
      },
    };
  },
  async gemini() {
    const { GoogleGenAI } = await import('@google/genai');
    const client = new GoogleGenAI({
      apiKey: KEY,
      httpOptions: { baseUrl: url, apiVersion: 'v1beta' },
    });
    return {
      model: gemini({ model: 'fake', apiKey: KEY, baseURL: url }),
      async bare(prompt) {
        const stream = await client.models.generateContentStream({
          model: 'fake',
          contents: prompt,
        });
        let text = '';
        for await (const chunk of stream) text += chunk.text ?? '';
        return text;
      },
    };
  },
  async ollama() {
    const { Ollama } = await import('ollama');
    const client = new Ollama({ host: url });
    return {
      model: ollama({ model: 'fake', host: url }),
      async bare(prompt) {
        const messages = [{ role: 'user', content: prompt }];
        let text = '';
        for await (const chunk of await client.chat({ model: 'fake', messages, stream: true })) {
          text += chunk.message.content;
        }
        return text;
      },
    };
  },
};

const { model, bare } = await sides[sdk]();
const adapted = async (prompt) => {
  let text = '';
  const messages = [textMessage('user', prompt)];
  for await (const event of model.stream({ messages })) {
    if (event.type === 'text-delta') text += event.text;
  }
  return text;
};

async function measure(run, prompt, times) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let length = 0;
  for (let time = 0; time < times; time++) length += (await run(prompt)).length;
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - start, cpu: (user + system) / 1000, length };
}

async function compare(prompt, times) {
  const found = [];
  for (let pair = 0; pair < Number(pairs); pair++) {
    const order = pair % 2 ? [adapted, bare] : [bare, adapted];
    const results = new Map();
    for (const run of order) results.set(run, await measure(run, prompt, times));
    const [plain, ours] = [results.get(bare), results.get(adapted)];
    if (plain.length !== ours.length) throw new Error('the two sides got different texts');
    found.push({ plain, ours });
  }
  return found;
}

for (const prompt of ['long', 'short']) await compare(prompt, 2);
console.log(JSON.stringify({ stream: await compare('long', 2), call: await compare('short', 20) }));
