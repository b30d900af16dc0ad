import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { compileGlob } from '../../../src/query/glob.ts';

function fits(glob: string, path: string): boolean | undefined {
  return compileGlob(glob)?.(path);
}

const NAME = fc.string({ unit: fc.constantFrom('a', 'b', '章'), minLength: 1, maxLength: 4 });
const ENDING = fc.constantFrom('', '', '.md');
const PATH = fc
  .tuple(fc.array(NAME, { minLength: 1, maxLength: 4 }), ENDING)
  .map(([names, ending]) => names.join('/') + ending);

const SIMPLE = fc.constantFrom('a', 'b', '章', '*', '*', '?', '[ab]', '[!a]', '[a-b]');
const BRACES = fc
  .array(fc.string({ unit: SIMPLE, minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 })
  .map((parts) => `{${parts.join(',')}}`);
const SEGMENT = fc.oneof(
  { weight: 2, arbitrary: fc.constant('**') },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.oneof({ weight: 5, arbitrary: SIMPLE }, { weight: 1, arbitrary: BRACES }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join('')),
  },
);
const GLOB = fc
  .tuple(fc.array(SEGMENT, { minLength: 1, maxLength: 4 }), ENDING)
  .map(([segments, ending]) => segments.join('/') + ending)
  // picomatch lets `a/**/{b,*}` fit `a`, unlike `a/**/*`.
  .filter((glob) => /[*?[{]/u.test(glob) && !/\/\*\*\/(?:\**\{|\*{3})/u.test(glob));

describe('compileGlob', () => {
  it('finds the paths that picomatch finds', () => {
    let found = 0;
    fc.assert(
      fc.property(GLOB, fc.array(PATH, { minLength: 20, maxLength: 20 }), (glob, paths) => {
        const byPicomatch = picomatch(glob.replaceAll('[!', '[^'), {
          dot: true,
          nonegate: true,
          noextglob: true,
          basename: !glob.includes('/'),
        });
        for (const path of paths) {
          const isFound = byPicomatch(path);
          if (isFound) found += 1;
          expect({ glob, path, isFound: fits(glob, path) }).toEqual({ glob, path, isFound });
        }
      }),
      { numRuns: runs(100) },
    );
    expect(found).toBeGreaterThan(300);
  });
});
