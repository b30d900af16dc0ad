import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../../providers/test/support/fuzz.ts';
import { Output } from '../../../src/frame/output.ts';
import { ProgressBar } from '../../../src/frame/progress-bar.ts';

function output(isTTY: boolean): { readonly out: Output; readonly text: () => string } {
  let written = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const stream = Object.assign(sink, { isTTY });
  return { out: new Output(stream, { FORCE_COLOR: '1' }), text: () => written };
}

// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
// oxlint-disable-next-line no-control-regex -- these are the styles that may be there
const STYLES = /\u001B\[(?:[12]|22|3[1-6]|39)m/g;
const SAMPLES = [
  '\u001B]0;title\u0007',
  '\u001B[2J',
  '\u001B[8m',
  '\u009B31m',
  '\u0090q\u009C',
  '\b\r\u007F',
  'é\u0085あ',
  '\u001B]8;;https://evil.example\u0007text\u001B]8;;\u0007',
  'a\u202Etxt.exe\u202C \u2066b\u2069',
];

describe('what reaches a terminal', () => {
  it.each(SAMPLES)('holds no control character of %j, however it is written', async (sample) => {
    const { out, text } = output(true);
    await out.write(sample);
    await out.write(Buffer.from(sample));
    await out.line(sample);
    await out.json({ sample });
    await out.jsonArray([sample, { [sample]: sample }]);
    using bar = new ProgressBar(out, sample);
    expect(text().replaceAll(STYLES, '')).not.toMatch(CONTROL);
    bar.update(1, 2);
    bar.close();
    const [before = '', drawn = ''] = text().split('\r\u001B[2K');
    expect(`${before}${drawn}`.replaceAll(STYLES, '')).not.toMatch(CONTROL);
  });

  it('holds none of any text, and all else as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyString(), async (sample) => {
        const { out, text } = output(true);
        await out.write(sample);
        expect(text().replaceAll(STYLES, '')).not.toMatch(CONTROL);
        const { out: file, text: whole } = output(false);
        await file.write(sample);
        expect(whole()).toBe(sample);
      }),
    );
  });

  it('keeps lines, tabs and the styles of its own', async () => {
    const { out, text } = output(true);
    const styled = `${out.style('bold', 'a')}\t日本語\n${out.style('red', 'b')}`;
    await out.write(styled);
    expect(text()).toBe(styled);
  });
});
