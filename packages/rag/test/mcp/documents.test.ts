import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/config-keys.ts';
import { connect, openService } from './support.ts';

const page = new URL('../../../../docs/formats/rag-mcp.md', import.meta.url);

it('the page about the tools has all of them, each with its arguments', async () => {
  const rows = (await readFile(page, 'utf8'))
    .split('\n')
    .filter((line) => /^\| `\w+_novel_/.test(line));
  let above = '';
  const documented = rows.map((row) => {
    const [, name = '', input = ''] = row.split('|').map((cell) => cell.trim());
    above = input === 'the same' ? above : input;
    return [name, above];
  });
  const client = await connect((await openService()).service);
  const { tools } = await client.listTools();
  const actual = tools.map(({ name, inputSchema }) => {
    const keys = Object.keys(inputSchema.properties ?? {});
    return [`\`${name}\``, keys.map((key) => `\`${key}\``).join(', ')];
  });
  const byName = (a: readonly string[], b: readonly string[]): number =>
    String(a) < String(b) ? -1 : 1;
  expect(documented.toSorted(byName)).toEqual(actual.toSorted(byName));
});

it('the page about the settings has all of them', async () => {
  const text = await readFile(page, 'utf8');
  for (const { argument, variable } of CONFIG_KEYS) {
    expect(text).toContain(`\`${argument}\``);
    expect(text).toContain(`\`${variable}\``);
  }
});
