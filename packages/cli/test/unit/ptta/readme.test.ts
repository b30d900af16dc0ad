import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ptta } from '../../../src/ptta/tool.ts';
import { commandNames } from '../../support/command-names.ts';

describe('the README', () => {
  it('has an example of every command of ptta', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('\n## ptta'), readme.indexOf('\n## vizprompt'));
    const examples = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text).join('');
    const missing = commandNames(ptta).filter((name) => !examples.includes(`ptta ${name}`));
    expect(missing).toEqual([]);
  });
});
