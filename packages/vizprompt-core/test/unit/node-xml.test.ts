import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { VizNode } from '../../src/node/node.ts';
import { readNodeXml } from '../../src/node/parse-node-xml.ts';
import { writeNodeXml } from '../../src/node/node-xml.ts';
import { randomRuns } from '../support/open-project.ts';
import { anyNode, difficult, id, plain, timestamp } from '../support/random-nodes.ts';

/** Returns the view of another, strict parser. */
function parseStrictly(xml: string): { prompt: string; tags: string[] } {
  const parser = new SaxesParser();
  const seen = { prompt: '', tags: [] as string[] };
  const open: string[] = [];
  const add = (text: string): void => {
    if (open.at(-1) === 'prompt') seen.prompt += text;
    if (open.at(-1) === 'tag') seen.tags.push(`${seen.tags.pop() ?? ''}${text}`);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    if (name === 'tag') seen.tags.push('');
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(xml).close();
  return seen;
}

describe('a node file', () => {
  it('is written in one form: prompt, response and metadata, a text on lines of its own', () => {
    const xml = `<?xml version="1.0" encoding="utf-8"?>
<node id="${id}" timestamp="${timestamp}">
<prompt><![CDATA[
プロンプト内容をここに記載...
（改行やフォーマットを保持）
]]></prompt>
<response><![CDATA[
応答内容をここに記載...
]]></response>
<metadata>
<model>gemini-2.0-flash-001</model>
<stats role="user" count="6" duration="1.20" rate="4.99" />
<stats role="assistant" count="14" duration="0.08" rate="179.49" />
<summary updated="false" last_built="${timestamp}">ノードの要約内容</summary>
<tags><tag>タグ1</tag><tag>タグ2</tag><tag>タグ3</tag></tags>
</metadata>
</node>
`;
    const node = readNodeXml('nodes/00/00.xml', xml);
    expect(node).toEqual({
      ...plain,
      prompt: 'プロンプト内容をここに記載...\n（改行やフォーマットを保持）',
      response: '応答内容をここに記載...',
      model: 'gemini-2.0-flash-001',
      stats: {
        user: { count: 6, duration: 1.2, rate: 4.99 },
        assistant: { count: 14, duration: 0.08, rate: 179.49 },
      },
      summary: { text: 'ノードの要約内容', isOutdated: false, lastBuilt: timestamp },
      tags: ['タグ1', 'タグ2', 'タグ3'],
    });
    expect(writeNodeXml(node)).toBe(xml);
  });

  it.each(difficult.map((text) => [JSON.stringify(text), text]))('keeps %s', (_, text) => {
    const node: VizNode = {
      ...plain,
      prompt: text,
      response: text,
      model: text,
      speaker: text,
      source: text,
      tags: [text, text],
      summary: { text, isOutdated: false },
      responseParts: [{ type: 'reasoning', text, name: text }],
    };
    const xml = writeNodeXml(node);
    expect(readNodeXml('x', xml)).toEqual(node);
    expect(xml).not.toMatch(/\r/);
    const seen = parseStrictly(xml);
    expect(seen.tags).toHaveLength(2);
    expect(seen.prompt.startsWith('\n') && seen.prompt.endsWith('\n')).toBe(true);
  });

  it('gives back any node, and is well-formed for another parser', () => {
    fc.assert(
      fc.property(anyNode, (node) => {
        const xml = writeNodeXml(node);
        expect(readNodeXml('x', xml)).toEqual(node);
        expect(xml.isWellFormed()).toBe(true);
        parseStrictly(xml);
      }),
      { numRuns: randomRuns(50) },
    );
  });

  it('shows another parser the text itself wherever XML can hold it', () => {
    const text = '日本語 ]]> & < > \\ \u2028\n\n  "引用"';
    const seen = parseStrictly(writeNodeXml({ ...plain, prompt: text, tags: [text] }));
    expect(seen).toEqual({ prompt: `\n${text}\n`, tags: [text] });
  });

  it('keeps what it does not know', () => {
    const xml = writeNodeXml(plain).replace(
      '</metadata>',
      '<rating scale="5">4 &amp; more</rating><links><link to="x"/></links>\n</metadata>',
    );
    const node = readNodeXml('x', xml);
    expect(node.unknown).toHaveLength(2);
    const again = readNodeXml('x', writeNodeXml(node));
    expect(again).toEqual(node);
    expect(writeNodeXml(node)).toContain('<rating scale="5">4 &amp; more</rating>');
    const odd = xml
      .replace('<parts', '<parts')
      .replace(
        '<metadata>',
        '<parts side="response">\n<part type="hologram"><![CDATA[\nXYZ\n]]></part>\n</parts>\n<metadata>',
      );
    expect(readNodeXml('x', odd).responseParts).toEqual([
      { type: 'data', kind: 'hologram', value: 'XYZ' },
    ]);
  });

  it('may be written by hand: other spaces, no CDATA, CRLF, a byte order mark, nothing optional', () => {
    const text = `\ufeff<?xml version="1.0"?>\r\n<node timestamp='2025-05-09T06:48:06Z'\r\n id='${id}'>\r
  <prompt>a &lt; b &amp; c &#169;</prompt>\r\n  <response>two\r\nlines</response>\r\n</node>`;
    const node = readNodeXml('x', text);
    expect(node).toEqual({
      ...plain,
      timestamp: '2025-05-09T06:48:06Z',
      prompt: 'a < b & c ©',
      response: 'two\nlines',
    });
  });

  it('has all of what is in an element twice, as a merge by lines leaves it', () => {
    const twice = (inner: string): string =>
      `<node id="${id}" timestamp="${timestamp}">${inner}</node>`;
    const said =
      '<prompt>one</prompt><prompt>two</prompt><response></response><response>three</response>';
    const metadata = (tag: string): string => `<metadata><tags><tag>${tag}</tag></tags></metadata>`;
    expect(readNodeXml('x', twice(`${said}${metadata('a')}${metadata('b')}`))).toMatchObject({
      prompt: 'one\n\ntwo',
      response: 'three',
      tags: ['a', 'b'],
    });
    const parts = (...inner: readonly string[]): string =>
      `<parts side="response"><part type="text" start="0" end="${inner.length}"/>${inner
        .map((each) => `<part type="reasoning">${each}</part>`)
        .join('')}</parts>`;
    const both = `${parts('first', 'same')}${parts('same', 'second', 'third')}`;
    expect(readNodeXml('x', twice(`${said}${both}`)).responseParts).toEqual([
      { type: 'text', start: 0, end: 2 },
      { type: 'reasoning', text: 'first' },
      { type: 'reasoning', text: 'same' },
      { type: 'reasoning', text: 'second' },
      { type: 'reasoning', text: 'third' },
    ]);
    const same = '<prompt>one</prompt><prompt>one</prompt>';
    expect(readNodeXml('x', twice(`${same}${metadata('a')}${metadata('a')}`))).toMatchObject({
      prompt: 'one',
      tags: ['a'],
    });
  });

  it.each([
    ['<node', 'x:1:1'],
    ['plain text', 'x:1:1'],
    ['', 'x'],
    [`<node id="${id}" timestamp="${timestamp}">\n<prompt>\n</node>`, 'x:3:1'],
    [`<note id="${id}"/>`, '<note>'],
    [`<node id="7" timestamp="${timestamp}"/>`, "id '7'"],
    [`\n\n<node id="${id}" timestamp="yesterday"/>`, "x:3: the timestamp 'yesterday'"],
    ['<!DOCTYPE x [<!ENTITY a "b">]><node/>', 'document type'],
    [`<node id="${id}" timestamp="${timestamp}"/><node/>`, '2 root elements'],
    [
      `<node id="${id}" timestamp="${timestamp}"><parts side="prompt"><part type="data">{</part></parts></node>`,
      'no JSON',
    ],
  ])('that is broken is named with its place: %s', (xml, message) => {
    expect(() => readNodeXml('x', xml)).toThrow(message);
    expect(() => readNodeXml('x', xml)).toThrow(
      expect.objectContaining({ name: 'VizPromptError', code: 'node-invalid' }),
    );
  });
});
