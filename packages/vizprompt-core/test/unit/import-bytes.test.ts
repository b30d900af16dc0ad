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
