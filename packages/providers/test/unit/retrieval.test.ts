import { fuse, type Passage } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

function passage(id: string, kind = 'document'): Passage {
  return { id, text: id, score: 0, source: { kind, uri: id } };
}

describe('fuse', () => {
  it('ranks by the sum of reciprocal ranks', () => {
    const fused = fuse([
      ['a', 'b', 'c'].map((id) => passage(id)),
      ['c', 'a'].map((id) => passage(id)),
    ]);
    expect(fused.map(({ id }) => id)).toEqual(['a', 'c', 'b']);
    expect(fused[0]?.score).toBeCloseTo(1 / 61 + 1 / 62);
  });

  it('weighs lists, and keeps passages of different kinds apart', () => {
    const lists = [[passage('x')], [passage('x', 'event')], [passage('y')]];
    const fused = fuse(lists, { k: 0, weights: [1, 3, 2] });
    expect(fused.map(({ id, source }) => [id, source.kind])).toEqual([
      ['x', 'event'],
      ['y', 'document'],
      ['x', 'document'],
    ]);
    expect(() => fuse(lists, { weights: [1] })).toThrow('3 lists and 1 weights');
    expect(fuse([])).toEqual([]);
  });
});
