import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-project.ts';
import { startPeerless } from '../support/start-children.ts';

it.each([
  ['nodes/00/00.xml', '?>', '?><!-- edited -->'],
  ['flows/00/00.yaml', 'id: ', '# edited\nid: '],
])('%s does not become a broken file where its parser cannot be loaded', async (file, part, by) => {
  const folder = await temporaryFolder();
  {
    await using vizprompt = await VizPrompt.open(folder);
    await vizprompt.createNode({ prompt: 'question' });
  }
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(part, by));
  expect(await startPeerless('without-parsers', folder)).toContain('EMFILE');
  await using vizprompt = await VizPrompt.open(folder);
  expect(await vizprompt.problems()).toEqual([]);
  expect(await vizprompt.searchNodes({ text: 'question' })).toHaveLength(1);
  expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
});
