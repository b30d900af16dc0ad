import type { NewEvent } from '@vizprompt/memory';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { describe, expect, it } from 'vitest';
import { namedTimes, timeFactor } from '../../src/search/named-times.ts';
import { questionFactor } from '../../src/search/rank-events.ts';
import { newStore } from '../support/open-store.ts';

const said = (content: string, timestamp: string, speaker?: string): NewEvent => ({
  type: 'user_message',
  data: { content },
  timestamp,
  ...(speaker === undefined ? {} : { meta: { speaker } }),
});

describe('what a question names besides words', () => {
  it.each([
    ['what broke on 13 October 2025?', { year: 2025, month: 10, day: 13 }],
    ['what broke on October 13th, 2025?', { year: 2025, month: 10, day: 13 }],
    ['the 1st of May', { year: undefined, month: 5, day: 1 }],
    ['what did we plan in may?', { year: undefined, month: 5, day: undefined }],
    ['since Sept. 2024', { year: 2024, month: 9, day: undefined, bound: 'first' }],
    ['what was said by May 3rd', { year: undefined, month: 5, day: 3, bound: 'last' }],
    ['the log of 2026-01-31', { year: 2026, month: 1, day: 31 }],
    ['Before 2026-01-31', { year: 2026, month: 1, day: 31, bound: 'last' }],
    ['２０２５年１０月１３日の障害', { year: 2025, month: 10, day: 13 }],
    ['10月に決めたこと', { year: undefined, month: 10, day: undefined }],
    ['10月以降に決めたこと', { year: undefined, month: 10, day: undefined, bound: 'first' }],
    ['2025年3月3日までの議論', { year: 2025, month: 3, day: 3, bound: 'last' }],
  ])('reads the time in %s', (query, time) => {
    expect(namedTimes(query)).toEqual([time]);
  });

  it.each(['may I march on?', 'version 2026-13', '99月', 'marching decorators', 'port 3000'])(
    'reads no time in %s',
    (query) => {
      expect(namedTimes(query)).toEqual([]);
    },
  );

  const factors = (query: string, ...dates: string[]): number[] =>
    dates.map((date) => timeFactor(namedTimes(query), `${date}T12:00:00.000Z`));

  it('puts a day before those that follow it, these before its month, and that before other times', () => {
    const dates = ['2025-10-13', '2025-10-20', '2025-10-21', '2025-10-12', '2024-10-13'];
    const [day = 0, after = 0, later = 0, before = 0, other] = factors(
      'on 13 October 2025',
      ...dates,
    );
    expect(day).toBeGreaterThan(after);
    expect(after).toBeGreaterThan(later);
    expect([before, other]).toEqual([later, 1]);
    expect(later).toBeGreaterThan(1);
    // The days that follow may be those of the next month, or of the next year.
    expect(factors('31 October 2025', '2025-11-02', '2025-11-10')).toEqual([after, 1]);
    expect(factors('2025年12月31日', '2026-01-01')).toEqual([after]);
  });

  it('counts all that is between a first and a last time', () => {
    const dates = ['2025-02-28', '2025-03-01', '2025-04-15', '2025-05-31', '2025-06-01'];
    const isLifted = (query: string): boolean[] =>
      factors(query, ...dates).map((factor) => factor > 1);
    expect(isLifted('since March 2025')).toEqual([false, true, true, true, true]);
    expect(isLifted('2025年5月まで')).toEqual([true, true, true, true, false]);
    expect(isLifted('3月から5月までの作業')).toEqual([false, true, true, true, false]);
    expect(isLifted('after 2025-04-15')).toEqual([false, false, true, true, true]);
    expect(isLifted('before 15 April')).toEqual([true, true, true, false, false]);
  });

  it('finds what happened then first, in events and in sessions', async () => {
    const store = await newStore();
    for (const month of ['09', '10', '11']) {
      const started = `2025-${month}-13T10:00:00.000Z`;
      const { id } = await store.startSession({ id: `of-${month}`, startedAt: started });
      await store.log(
        id,
        'user_message',
        { content: 'the deployment failed' },
        { timestamp: started },
      );
    }
    const query = 'why did the deployment fail on 13 October?';
    const [event] = await store.search(query);
    expect(event?.event.session_id).toBe('of-10');
    const [session] = await store.searchSessions(query);
    expect(session?.session.id).toBe('of-10');
    const [until] = await store.search('why did the deployment fail until September?');
    expect(until?.event.session_id).toBe('of-09');
    // Without a time the newest comes first.
    const [newest] = await store.search('why did the deployment fail?');
    expect(newest?.event.session_id).toBe('of-11');
  });

  it('puts statements of a person before those made to that person', async () => {
    const store = await newStore();
    const { id } = await store.startSession();
    const time = '2026-01-01T00:00:00.000Z';
    await store.logMany(id, [
      said('Ann, I bought a canoe', time, 'Ann'),
      said('something else', time, 'Bob'),
      said('and more', time, 'Ann'),
      said('Ann, you bought a canoe', time, 'Bob'),
    ]);
    const [first] = await store.search('which canoe did Ann buy? bought');
    expect(first?.event).toMatchObject({ sequence: 1, meta: { speaker: 'Ann' } });
    const [other] = await store.search('a canoe bought');
    expect(other?.event.sequence).toBe(4);
  });

  it('takes no irregular form for the name of a speaker', async () => {
    const facts = { timestamp: '2026-01-01T00:00:00.000Z', speakerMeta: '{"speaker":"Drew"}' };
    const factor = (query: string): number =>
      questionFactor(query, wordAnalyzer({ stems: 'english' })).of(facts);
    expect(['what did Melanie draw?', 'her drawings', 'who won'].map(factor)).toEqual([1, 1, 1]);
    for (const query of ['what did Drew win?', "Drew's canoe", 'ask drew'])
      expect(factor(query)).toBeGreaterThan(1);
  });
});

describe('sessions as a whole', () => {
  it('puts one that speaks of it again and again before one that does once', async () => {
    const store = await newStore();
    const time = '2026-01-01T00:00:00.000Z';
    const fill = Array.from({ length: 20 }, (_, place) => said(`small talk ${place}`, time));
    await store.startSession({ id: 'often' });
    const often = Array.from({ length: 6 }, (_, place) => said(`kiln number ${place}`, time));
    await store.logMany('often', [...often, ...fill]);
    await store.startSession({ id: 'thrice' });
    const thrice = Array.from({ length: 3 }, (_, place) => said(`kiln number ${place}`, time));
    await store.logMany('thrice', [...thrice, ...fill, ...fill]);
    const found = await store.searchSessions('kiln number');
    expect(found.map(({ session }) => session.id)).toEqual(['often', 'thrice']);
  });
});

it('a search scans as many events as its cap says, all with Infinity', async () => {
  const store = await newStore();
  const { id } = await store.startSession();
  for (let at = 0; at < 3; at++) await store.log(id, 'user_message', { content: `cat ${at}` });
  expect(await store.search('cat', { cap: Infinity })).toHaveLength(3);
  for (const cap of [-1, 1.5, Number.NaN]) {
    await expect(store.search('cat', { cap })).rejects.toMatchObject({ code: 'invalid-input' });
  }
});
