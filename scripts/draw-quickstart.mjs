// Draws the pictures of the READMEs: the conversations of the quickstart, as the project's own export shows them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';

const PICTURES = { 'quickstart-ja.svg': /猫カフェ/, 'quickstart-en.svg': /^A name/ };
const folder = mkdtempSync(join(tmpdir(), 'quickstart-'));
try {
  const vizprompt = await VizPrompt.open(folder);
  const { flows } = await vizprompt.importConversations('examples/quickstart/conversations.json');
  mkdirSync('docs/images', { recursive: true });
  for (const [file, pattern] of Object.entries(PICTURES)) {
    const flow = flows.find(({ name }) => pattern.test(name));
    writeFileSync(
      join('docs/images', file),
      await vizprompt.exportFlow(flow.id, { format: 'svg' }),
    );
    console.log(`wrote docs/images/${file}`);
  }
  await vizprompt.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
