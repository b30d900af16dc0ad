import { redact } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

const token = ['ghp_', '16C7e42F292c6912E7710c838347Ae178B4a'].join('');
const file = `# 本番用\nNODE_ENV=production\nGITHUB_TOKEN=${token}\nDB_PASSWORD=tr0ub4dor&3\nPORT=3000\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const wrapped = (text: string, width: number, indent = ''): string =>
  (base64(text).match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(`\n${indent}`);

/** Decodes each run of digits on its own, and joins what is in several lines. */
const decoded = (text: string): string =>
  text.replaceAll(/[A-Za-z0-9+/=_-]{8,}(?:\n *[A-Za-z0-9+/=_-]{8,})*/g, (run) =>
    Buffer.from(run, 'base64').toString('latin1'),
  );

describe('redaction of encoded texts', () => {
  it.each([
    ['one line', base64(file)],
    ['the form for addresses', Buffer.from(file).toString('base64url')],
    ['lines of 76', wrapped(file, 76)],
    ['lines of 64 in a block of YAML', `data:\n  .env: |\n    ${wrapped(file, 64, '    ')}\n`],
    ['JSON with escaped newlines', JSON.stringify({ content: wrapped(file, 60) })],
    ['an address', `https://example.org/?env=${encodeURIComponent(base64(file))}`],
    ['a command', `eval "$(base64 -d <<< ${base64(file)})"`],
    ['cut off at its end', base64(file).slice(0, 130)],
    ['cut off at its beginning', base64(file).slice(5)],
    ['Base64 of Base64', base64(base64(file))],
  ])('finds what is in %s', (_, text) => {
    const { text: clean, redactions } = redact(text);
    expect(redactions.map(({ rule }) => rule)).toContain('github-token');
    const left = decoded(decoded(decodeURIComponent(clean.replaceAll(String.raw`\n`, '\n'))));
    expect(left).not.toContain(token.slice(8, 20));
    expect(redact(clean).text).toBe(clean);
  });

  it('finds what is in hex and in the commands of PowerShell', () => {
    const hex = Buffer.from(file).toString('hex');
    expect(redact(`xxd -p: ${hex}`).redactions.map(({ rule }) => rule)).toEqual([
      'github-token',
      'assignment',
    ]);
    const wide = Buffer.from(`$env:TOKEN = "${token}"`, 'utf16le').toString('base64');
    const { text, redactions } = redact(`powershell -EncodedCommand ${wide}`);
    expect(redactions.map(({ rule }) => rule)).toEqual(['github-token']);
    expect(text.length).toBeLessThan(100);
  });

  it.each(['le', 'be'])('finds what is in UTF-16 with a byte order mark: %s', (order) => {
    const bytes = Buffer.from(`\ufeff${file.replace('# 本番用', '# live')}`, 'utf16le');
    if (order === 'be') bytes.swap16();
    const { redactions } = redact(`file: ${bytes.toString('base64')}`);
    expect(redactions.map(({ rule }) => rule)).toContain('github-token');
  });

  it('leaves what is around a secret', () => {
    const { text } = redact(base64(file));
    const [before = '', after = ''] = text.split(/\[redacted:[^[]*\]/);
    expect(Buffer.from(before, 'base64').toString()).toBe(
      '# 本番用\nNODE_ENV=production\nGITHUB_TOKEN=',
    );
    expect(Buffer.from(after, 'base64').toString()).toContain('B_PASSWOR');
  });

  it('reads no run together with the next one', () => {
    const runs = `${base64('the words of a password:\n\n')} ${base64('hunter2isnotthepassword99')}`;
    expect(redact(runs).redactions).toEqual([]);
    const open = `${base64('before <private> and the rest')} in between ${base64('x'.repeat(30))}`;
    expect(redact(open).text).toMatch(/^\S+\[redacted:private\]=? in between eHh4/);
  });

  it('leaves pictures, hashes and texts without secrets', () => {
    for (const text of [
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
      base64('{"after":"2026-01-02T03:04:05Z","id":12345,"password":"string"}'),
    ]) {
      expect(redact(text)).toEqual({ text, redactions: [] });
    }
  });
});
