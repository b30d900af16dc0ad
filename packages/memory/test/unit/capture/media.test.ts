import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@vizprompt/providers';
import { withoutMedia } from '../../../src/capture/media.ts';
import { asksMemory } from '../../../src/capture/tool-output.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

/** Returns the base64 of a file that begins with some bytes. */
function file(...head: readonly number[]): string {
  return Buffer.concat([Buffer.from(head), Buffer.alloc(900, 0xa7)]).toString('base64');
}
const PNG = file(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const JPEG = file(0xff, 0xd8, 0xff, 0xe0);
const PDF = file(0x25, 0x50, 0x44, 0x46, 0x2d);

/** Forms in which agents and their SDKs store the bytes of a picture. */
const PLACES: Readonly<Record<string, JsonValue>> = {
  'Claude Code, a block': {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: PNG },
  },
  'Claude Code, Read': {
    type: 'image',
    file: { base64: PNG, type: 'image/png', originalSize: 900 },
  },
  'Claude Code, a document': {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: PDF },
  },
  'Codex, view_image': [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }],
  'Codex, in a text': `text(${JSON.stringify(`data:image/jpeg;base64,${JPEG}`)})`,
  'Gemini, a part': { inlineData: { mimeType: 'image/png', data: PNG } },
  'Gemini, unknown bytes': { inlineData: { mimeType: 'image/x-raw', data: file(1, 2, 3) } },
  'Copilot, an asset': { data: { assetId: 'a', mimeType: 'image/png', data: PNG } },
  'MCP, a content': { content: [{ type: 'image', data: JPEG, mimeType: 'image/jpeg' }] },
  'MCP, a blob': {
    contents: [{ uri: 'x', mimeType: 'application/octet-stream', blob: file(9, 9) }],
  },
  'a chat, image_url': { type: 'image_url', image_url: { url: `data:image/webp;base64,${PNG}` } },
  'a text of JSON': JSON.stringify({ screenshot: JPEG, page: 'https://x' }),
  'a text around it': `saved:\n${PNG}\ndone ${JPEG}`,
  'a text around a data URL and plain base64': `data:image/png;base64,${PNG} and ${JPEG}`,
  'a bare WebP': file(...Buffer.from('RIFF\u0001\u0002\u0003\u0000WEBPVP8 ')),
  'a bare WAV': file(...Buffer.from('RIFF\u0001\u0002\u0003\u0000WAVEfmt ')),
  'a bare string, deep': { a: [{ b: { c: { d: { e: { f: { g: [PNG] } } } } } }] },
};

describe('the bytes of a picture', () => {
  it.each(Object.entries(PLACES))('are left out: %s', (_name, value) => {
    const shown = JSON.stringify(withoutMedia(value));
    expect(shown).not.toMatch(/[A-Za-z0-9+/]{200}/);
    expect(shown).toMatch(/sha256/);
    expect(shown).toMatch(/characters|bytes/);
  });

  it.each([
    ['short', 'iVBORw0KGgo='],
    ['words', 'data: a sentence; base64 is a word. '.repeat(50)],
    ['a path that reads like a head', `see /9j/4AAQ and R0lGODlh. ${'word '.repeat(60)}`],
    ['a key', `token=${'q'.repeat(40)}iVBORw0KGgo${'A'.repeat(300)}`],
    ['a hash', { sha: 'a'.repeat(300) }],
    ['code', { content: 'const a = 1;\n'.repeat(100) }],
    ['text with a type', { type: 'text', mimeType: 'text/plain', data: 'あ'.repeat(500) }],
  ])('are not found in %s', (_name, value) => {
    expect(withoutMedia(value)).toBe(value);
  });
});

it('attachments of Copilot CLI have no bytes of a picture', async () => {
  const attachments = [{ type: 'blob', data: PNG, mimeType: 'image/png', displayName: 'a.png' }];
  const lines = [
    { type: 'session.start', id: '1', data: { sessionId: 'c', context: { cwd: '/w' } } },
    { type: 'user.message', id: '2', data: { content: 'see', attachments } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const store = await openMemory();
  await store.importTranscript(await put(await newFolder(), 'events.jsonl', text));
  const [event] = await onlyEvents(store);
  expect(event?.meta?.['attachments']).toMatchObject([
    { type: 'blob', mimeType: 'image/png', displayName: 'a.png', characters: PNG.length },
  ]);
  expect(JSON.stringify(event)).not.toContain(PNG.slice(0, 100));
});

describe('a call of the memory itself', () => {
  it.each([
    ['mcp__ptta__search', {}],
    ['mcp_ptta_recall', {}],
    ['ptta-timeline', {}],
    ['mcp__plugin_ptta_ptta__recall', {}],
    ['mcp__plugin_my-tools_ptta__search', {}],
    ['ptta_get_events', {}],
    ['Bash', { command: 'cd a && ptta search 灯台 --limit 5' }],
    ['exec_command', { cmd: 'ptta --data x recall' }],
    ['shell', { command: ['bash', '-lc', 'ptta export'] }],
    ['exec', 'const r = await tools.mcp__ptta__search({query: "a"});'],
  ])('is known: %s', (tool, input) => {
    expect(asksMemory(tool, input)).toBe(true);
  });

  it.each([
    ['mcp__other__search', {}],
    ['mcp__plugin_ptta_other__search', {}],
    ['mcp__plugin_ptta__search', {}],
    ['Bash', { command: 'ptta log:user "ptta is nice"' }],
    ['Bash', { command: 'grep ptta search.txt' }],
    ['Read', { file_path: '/ptta/search.ts' }],
  ])('is not taken for one: %s', (tool, input) => {
    expect(asksMemory(tool, input)).toBe(false);
  });

  it.each(['--aa', '-a', '--', '-- a', '--a b', '---'])(
    'is looked for in linear time: many of %s',
    (option) => {
      const options = ` ${option}`.repeat(50);
      expect(asksMemory('Bash', { command: `ptta${options} zzz` })).toBe(false);
      expect(asksMemory('Bash', { command: `ptta${options} search` })).toBe(true);
    },
  );
});
