import { VizPrompt } from '@vizprompt/core';
import { benchCheck } from './benchmarks/core-check.ts';
const folder = '/tmp/h-bench-project';
const v = await VizPrompt.open(folder);
const N = Number(process.argv[2]);
const s = (n: number) =>
  Array.from(
    { length: n },
    (_, i) => ['認証', '設定', '予約', '猫', 'テーブル', 'JWT', 'token', '画面'][(i * 7 + n) % 8],
  ).join('の') + '。';
for (let f = 0; f < N / 256; f++) {
  const id = 'flow ' + f;
  await v.importConversations([
    {
      uuid: id,
      name: id,
      chat_messages: Array.from({ length: 512 }, (_, at) => ({
        uuid: id + '/' + at,
        sender: at % 2 ? 'assistant' : 'human',
        text: at % 2 ? Array.from({ length: 6 }, () => s(9)).join('\n') : id + ' ' + at + s(5),
        content: [],
        created_at: '2026-01-01T00:00:00.000000Z',
      })),
    },
  ]);
}
await v.close();
console.log(benchCheck(folder, console.log));
