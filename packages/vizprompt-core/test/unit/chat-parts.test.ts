import { inMemoryStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { sideOf } from '../../src/node/chat-parts.ts';

it('an answer keeps the sources that the model named', async () => {
  const storage = await inMemoryStorage();
  onTestFinished(() => storage.close());
  const meta = { openai: { start_index: 0 } };
  const side = await sideOf(storage.files, [
    { type: 'text', text: '灯台は岬にある。' },
    { type: 'source', url: 'https://example.com/灯台', title: '灯台🗼', text: '岬', meta },
    { type: 'source', title: 'notes.txt' },
  ]);
  expect(side).toEqual({
    text: '灯台は岬にある。',
    parts: [
      { type: 'text', start: 0, end: 8 },
      {
        type: 'data',
        kind: 'source',
        value: { url: 'https://example.com/灯台', title: '灯台🗼', text: '岬' },
        meta,
      },
      { type: 'data', kind: 'source', value: { title: 'notes.txt' } },
    ],
  });
});
