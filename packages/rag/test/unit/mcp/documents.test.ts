import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../../src/config/settings-from-outside.ts';

const page = new URL('../../../../../docs/formats/novel-project.md', import.meta.url);

it('the page about the settings has all of them', async () => {
  const text = await readFile(page, 'utf8');
  for (const { argument, variable } of CONFIG_KEYS) {
    expect(text).toContain(`\`${argument}\``);
    expect(text).toContain(`\`${variable}\``);
  }
});
