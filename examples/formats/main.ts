// Writes the project that the pages about formats show: npx tsx examples/formats/main.ts FOLDER
// Times and ids are given, so that it is the same project every time.
import { VizPrompt } from '@vizprompt/core';

const [folder = 'formats-data'] = process.argv.slice(2);
let time = Date.parse('2026-11-21T22:43:07.550+09:00');
let ids = 0;

await using vizprompt = await VizPrompt.open(folder, {
  clock: () => new Date((time += 7)),
  createId: () => `01a1fe58-b0${(0x90 + 6 * ids++).toString(16)}-7000-b5cc-d327738565c1`,
});
const first = await vizprompt.createNode({
  prompt: '猫は好き？',
  response: 'はい、とても。',
  model: 'gpt-4',
  tags: ['猫', '好み'],
  stats: {
    user: { count: 5, duration: 0, rate: 0 },
    assistant: { count: 6, duration: 0.5, rate: 12 },
  },
});
await vizprompt.createNode({
  prompt: 'ESC \u001B, a path C:\\temp',
  response: '猫の記録。',
  responseParts: [
    { type: 'reasoning', text: '猫の話だ。', time: '2026-11-21T13:43:07.670000Z' },
    { type: 'text', start: 0, end: 5 },
    { type: 'tool-call', id: 'call_1', tool: 'search', input: { q: '猫' } },
  ],
});
await vizprompt.createNode(
  { prompt: 'なぜ？', response: '静かだから。' },
  { after: first.id, branchName: '別案' },
);
await vizprompt.build();
