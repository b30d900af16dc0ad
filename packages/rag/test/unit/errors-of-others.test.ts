import { describe, expect, it } from 'vitest';
import { IndexingError, type Analyzer } from '../../src/index.ts';
import { damageOf } from '../../src/segment/format/index-layout.ts';
import { openBackend, scriptAnalyzer, temporaryFolder } from '../support/search-index.ts';

const OPEN = '(';

/** Errors of an analyzer, or of a lack of memory, that look as those of a damaged file. */
const ERRORS: Readonly<Record<string, () => unknown>> = {
  'of JSON': () => JSON.parse('{'),
  'of a pattern': () => new RegExp(OPEN, 'u'),
  'of a long string': () => 'x'.repeat(2 ** 30),
  'of a long array': () => new Uint8Array(-1),
  'of a buffer': () => Buffer.alloc(1).readUInt8(9),
  'of memory': () => {
    throw new RangeError('Array buffer allocation failed');
  },
  'of zlib': () => {
    throw Object.assign(new Error('unexpected end of file'), { code: 'Z_BUF_ERROR' });
  },
  'of another index': () => {
    const context = { path: '/elsewhere/segment-1.bin' };
    throw new IndexingError('the index file cannot be read', { context }, 'index-corrupt');
  },
  'of another index, without its file': () => {
    throw new IndexingError('the index file cannot be read', {}, 'index-corrupt');
  },
  'of another index that lost documents': () => {
    const context = { folder: '/elsewhere' };
    throw new IndexingError('the index lost documents', { context }, 'index-corrupt');
  },
};

/** Returns an analyzer that fails at texts with 毒. */
function failing(fail: () => unknown): Analyzer {
  const analyzer = scriptAnalyzer();
  return {
    ...analyzer,
    words: (text) => {
      if (text.includes('毒')) fail();
      return analyzer.words(text);
    },
  };
}

describe.each(Object.entries(ERRORS))('an error %s', (_, fail) => {
  it('of an analyzer costs no document', async () => {
    const folder = temporaryFolder();
    const analyzer = failing(fail);
    const reasons: string[] = [];
    const on = { 'index:discarded': ({ reason }: { reason: string }) => void reasons.push(reason) };
    const backend = await openBackend({ folder, analyzer, on });
    const document = (
      at: number,
      text: string,
    ): { novelId: string; filePath: string; text: string } => {
      return { novelId: '灯台', filePath: `${at}.md`, text };
    };
    for (let at = 0; at < 3; at++) await backend.updateFile(document(at, `嵐の夜の灯台${at}`));
    await expect(backend.search('毒')).rejects.toBeInstanceOf(Error);
    expect((await backend.search('灯台')).total).toBe(3);
    await expect(backend.updateFile(document(3, '毒の灯台'))).rejects.toBeInstanceOf(Error);
    await expect(backend.index([document(3, '毒の灯台')])).rejects.toBeInstanceOf(Error);
    expect((await backend.search('灯台')).total).toBe(3);
    await backend.updateFile(document(4, '凪の灯台'));
    await backend.compact();
    expect(backend.documents()).toHaveLength(4);
    await backend.close();
    const again = await openBackend({ folder, analyzer, on });
    expect(again.documents()).toHaveLength(4);
    expect(reasons).toEqual([]);
  });
});

describe('damageOf', () => {
  it.each([
    new RangeError('Array buffer allocation failed'),
    new RangeError('Invalid string length'),
    new RangeError('Maximum call stack size exceeded'),
    Object.assign(new Error('insufficient memory'), { code: 'Z_MEM_ERROR' }),
    Object.assign(new Error('read'), { code: 'EIO' }),
  ])('leaves %o as it is', (error) => {
    expect(damageOf(error, 'segment-1.bin')).toBe(error);
  });

  it.each([
    new SyntaxError('Unexpected end of JSON input'),
    new RangeError('Invalid array length'),
    new RangeError('Invalid typed array length: -5'),
    new RangeError('start offset of Uint16Array should be a multiple of 2'),
    new RangeError('byte length of Uint32Array should be a multiple of 4'),
    Object.assign(new Error('invalid block type'), { code: 'Z_DATA_ERROR' }),
  ])('reports %o', (error) => {
    expect(damageOf(error, 'segment-1.bin')).toMatchObject({ code: 'index-corrupt' });
  });
});
