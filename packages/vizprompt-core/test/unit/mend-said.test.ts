import { describe, expect, it } from 'vitest';
import { mendedNode } from '../../src/doctor/repair-files.ts';
import { readNodeXml } from '../../src/node/parse-node-xml.ts';

const ID = '01a22b65-5672-7000-a90b-3342e905cb1f';
const NOW = '2026-03-04T05:06:00Z';
const RESPONSE = '<response><![CDATA[yes]]></response>';

/** Returns the prompt of a node whose time is none, after its repair. */
function promptOf(content: string, prefix = ''): string {
  const text = `<${prefix}node id="${ID}" timestamp="yesterday">
<prompt>${content}</prompt>
${RESPONSE}
<metadata><tags/></metadata>
</${prefix}node>
`;
  const mended = mendedNode('nodes/00/00.xml', text, NOW) ?? '';
  const node = readNodeXml('nodes/00/00.xml', mended);
  expect(node.id).toBe(ID);
  expect(node.response).toBe('yes');
  return node.prompt;
}

describe('what was said stays when a node is repaired', () => {
  it.each([
    'what is a[0]',
    'an arrow ->',
    'x]',
    'see [[a link]]',
    'a[b[0]]',
    'Array<string[]>',
    'see [1] and [2]>',
    'a line\n',
  ])('at the end of CDATA without its end: %j', (said) => {
    expect(promptOf(`<![CDATA[${said}`)).toBe(said);
  });

  it.each([
    ['a bracket less', ']>'],
    ['a space', ']] >'],
    ['a tab', ']]\t>'],
  ])('without the marks of its end, where they have %s', (_, marks) => {
    expect(promptOf(`<![CDATA[see [1] there${marks}`)).toBe('see [1] there');
    expect(promptOf(`<![CDATA[a line\n${marks}`)).toBe('a line\n');
    expect(promptOf(`<![CDATA[:[ is\nok${marks}`)).toBe(':[ is\nok');
  });

  it('without the marks of its end, where only the bracket is lost', () => {
    expect(promptOf('<![CDATA[hello]]')).toBe('hello');
  });

  it.each([
    'write <svg:node id="x"> and </svg:node>',
    'type <! [CDATA to begin, or <![cdata',
    'type <![cdata[ to begin',
    'type\n<![CDATA now',
    'so </b> <![CDATA',
  ])('in CDATA: %j', (said) => {
    expect(promptOf(`<![CDATA[${said}]]>`)).toBe(said);
    expect(promptOf(`<![cdata[${said}]]>`)).toBe(said);
    expect(promptOf(`<! [CDATA[${said}]]>`)).toBe(said);
    expect(promptOf(`<![CDATA[${said}]]>`, 'svg:')).toBe(said);
  });

  it.each([
    ['line\nprompt>\n&lt;x', 'line\nprompt>\n<x'],
    ['line\nprompt>\n', 'line\nprompt>\n'],
    ['line\n/prompt>\n', 'line\n/prompt>\n'],
    ['prompt>\n', 'prompt>\n'],
    ['use <prompt> tags', 'use <prompt> tags'],
    ['<prompt> is a tag', '<prompt> is a tag'],
    ['type <![CDATA to begin', 'type <![CDATA to begin'],
    ['a\0b', 'a\0b'],
  ])('in a prompt without CDATA: %j', (written, said) => {
    expect(promptOf(written).trim()).toBe(said.trim());
  });

  it('in a section that follows another without its end', () => {
    const text = `<node id="${ID}" timestamp="${NOW}">
<prompt><![cdata[one</prompt>
<response><![cdata[of one]]></response>
</node>
`;
    const mended = mendedNode('nodes/00/00.xml', text, NOW) ?? '';
    const { prompt, response } = readNodeXml('nodes/00/00.xml', mended);
    expect([prompt, response]).toEqual(['one', 'of one']);
  });

  const prompt = '<prompt><![CDATA[hello]]></prompt>';
  const response = '<response><![CDATA[world]]></response>';

  it.each([
    // A closing tag without its slash.
    ['<prompt><![CDATA[hello]]><prompt>', response],
    ['<prompt>hello<prompt>', response],
    [prompt, '<response><![CDATA[world]]><response>'],
    [prompt, '<response>world<response>\n<parts><part>x</part></parts>'],
    // A tag that is there twice.
    ['<prompt><!-- c --><prompt><![CDATA[hello]]></prompt>', response],
    ['<prompt>\n<prompt>hello</prompt>', response],
    // Tags that have lost their first bracket.
    ['prompt>\nhello\n</prompt>', response],
    ['prompt>\nhello\n/prompt>', 'response>\nworld\n/response>'],
    ['prompt><![CDATA[hello]]></prompt>', response],
    ['<prompt>\nhello\n/prompt>', response],
    // U+0000 in markup.
    ['<pro\0mpt><![CDATA[hello]]></prompt>', response],
    ['<prompt><![CDATA[hello]]></pro\0mpt>', response],
    ['<prompt>\0<![CDATA[hello]]>\0</prompt>\0', response],
    ['<prompt><!\0[CDATA[hello]]></prompt>', response],
  ])('and only that: %j, %j', (first, second) => {
    const text = `<node id="${ID}" timestamp="yesterday">
${first}
${second}
<metadata><tags/></metadata>
</node>
`;
    const node = readNodeXml('a.xml', mendedNode('a.xml', text, NOW) ?? '');
    expect([node.prompt.trim(), node.response]).toEqual([
      'hello',
      expect.stringMatching(/^\s*world\s*$/),
    ]);
  });

  it('in a prompt whose lost tag an answer says', () => {
    const text = `<node id="\0${ID}" timestamp="${NOW}">
prompt><![CDATA[hello]]></prompt>
<response>use <prompt> here</response>
</node>
`;
    const node = readNodeXml('a.xml', mendedNode('a.xml', text, NOW) ?? '');
    expect([node.id, node.prompt]).toEqual([ID, 'hello']);
  });

  it('in an answer that says the tags of a prompt, and in a prompt after it', () => {
    const text = `<node id="${ID}" timestamp="yesterday">
${prompt}
<response>use <prompt> and </prompt>
<prompt>more</prompt>
</node>
`;
    const node = readNodeXml('a.xml', mendedNode('a.xml', text, NOW) ?? '');
    expect([node.prompt, node.response]).toEqual(['hello\n\nmore', 'use <prompt> and </prompt>']);
  });

  it('without the line of the closing tag, where the last section has no end', () => {
    const text = `<node id="${ID}" timestamp="${NOW}">
${prompt}
<response><![CDATA[world
</response>
</node>
`;
    expect(readNodeXml('a.xml', mendedNode('a.xml', text, NOW) ?? '').response).toBe('world');
  });
});
