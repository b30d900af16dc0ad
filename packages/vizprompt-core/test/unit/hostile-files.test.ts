import { describe, expect, it } from 'vitest';
import { parseNodeXml } from '../../src/node/parse-node-xml.ts';
import { testProject } from '../support/open-project.ts';

const HEAD = 'id="01a1fe58-b096-7000-b5cc-d327738565c1" timestamp="2026-11-21T22:43:07+09:00"';
const laughs = Array.from(
  { length: 12 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
).join('');

/** Files in place of a node, and the message about each. */
const files: Readonly<Record<string, readonly [xml: string, problem: string]>> = {
  'a document type': [
    `<?xml version="1.0"?>\n<!DOCTYPE node [<!ENTITY l0 "ha">${laughs}]><node ${HEAD}><prompt>&l12;</prompt></node>`,
    'a document type is not allowed',
  ],
  'one behind a comment that looks like a node': [
    `<!-- <node --><?pi?>\n<!doctype node [<!ENTITY a SYSTEM "file:///etc/passwd">]><node ${HEAD}><prompt>&a;</prompt></node>`,
    'a document type is not allowed',
  ],
  'a name of JavaScript': [`<node ${HEAD}><__proto__>x</__proto__></node>`, '__proto__'],
  'a thousand elements in each other': [
    `<node ${HEAD}>${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}</node>`,
    'nested',
  ],
  'no end': [`<node ${HEAD}><!-- ${'<!--'.repeat(10_000)}`, 'Unclosed'],
};

describe('a file in place of a node', () => {
  it.each(Object.entries(files))('is reported as what it is: %s', (_, [xml, problem]) => {
    expect(() => parseNodeXml('nodes/00/00.xml', xml)).toThrow(
      expect.objectContaining({
        code: 'node-invalid',
        message: expect.stringContaining(`nodes/00/00.xml`),
      }),
    );
    expect(() => parseNodeXml('nodes/00/00.xml', xml)).toThrow(problem);
  });

  it('hinders nothing else, whatever it is', async () => {
    const { vizprompt, write, reopen } = await testProject();
    const { id } = await vizprompt.createNode({ prompt: '猫は好き？', response: 'はい。' });
    for (const [at, [xml]] of Object.values(files).entries()) {
      await write(`nodes/ff/0${at}.xml`, xml);
    }
    await write('nodes/ff/09.xml', `<!--${'-->\n<!--'.repeat(50_000)}--><node ${HEAD}></node>`);
    const again = await reopen();
    expect((await again.getNode(id)).response).toBe('はい。');
    expect((await again.searchNodes({ text: '猫' })).length).toBe(1);
    const { findings } = await again.check();
    const illFormed = findings.filter(({ code }) => code === 'ill-formed');
    expect(illFormed.map(({ file }) => file)).toEqual(
      Object.keys(files).map((_, at) => `nodes/ff/0${at}.xml`),
    );
  });

  it('has no entities but those of XML and HTML, and character references', () => {
    const node = parseNodeXml(
      'nodes/00/00.xml',
      `<node ${HEAD}><prompt>&lt;&amp;&#x732b;&l0;&nbsp;</prompt></node>`,
    );
    expect(node.prompt).toBe('<&猫&l0;\u00a0');
  });
});

/** Nine lists of the one before, nine times: 9 to the power of 9 leaves. */
const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  .concat(
    Array.from({ length: 8 }, (_, at) => {
      const [name, before] = [at + 1, at].map((place) => 'abcdefghi'.charAt(place));
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`;
    }),
  )
  .join('\n');

describe('YAML whose aliases multiply', () => {
  it('is an error of its file', async () => {
    const { vizprompt, write, reopen } = await testProject();
    const { id } = await vizprompt.createNode({ prompt: '猫' });
    await write(
      'flows/ff/00.yaml',
      `id: 01a1fe58-b096-7000-b5cc-d327738565c2\n${bomb}\nnodes: *i\n`,
    );
    await write('metadata/tags.yaml', `${bomb}\ntags: *i\n`);
    await write('metadata/index.yaml', `${bomb}\nnodes: *i\n`);
    const again = await reopen();
    expect((await again.getNode(id)).prompt).toBe('猫');
    await again.check();
    await write('config.yaml', `${bomb}\nsettings: *i\n`);
    await expect(reopen()).rejects.toMatchObject({ code: 'config-invalid' });
  });
});
