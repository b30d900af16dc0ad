import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { vizprompt } from '../../../src/vizprompt/tool.ts';
import { commandNames } from '../../support/command-names.ts';

describe('the README', () => {
  it('has an example of every command of vizprompt', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('\n## vizprompt'), readme.indexOf('\n## dialogoi'));
    const examples = [...section.matchAll(/^```\w+\n(.*?)^```/gms)]
      .map(([, text]) => text)
      .join('');
    const missing = commandNames(vizprompt).filter(
      (name) => !examples.includes(`vizprompt ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
