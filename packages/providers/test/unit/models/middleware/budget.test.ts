import { LLMError, type Budget, type Spending } from '@vizprompt/providers';
import { budget, cache, compose, createBudget, fallback } from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { ask, failureOf, request, streaming, words } from './support.ts';
import { costOf } from '../../../../src/middleware/price.ts';

const usage = { inputTokens: 100, outputTokens: 50 };
const answer = { parts: [{ type: 'text', text: 'はい' }], usage } as const;

/** Returns a budget without limits that notes its calls. */
function noting(): Budget & { reserved: Spending[]; settled: Spending[] } {
  const reserved: Spending[] = [];
  const settled: Spending[] = [];
  return {
    specVersion: 1,
    remaining: {},
    reserved,
    settled,
    reserve(estimate) {
      reserved.push(estimate);
      let isFirst = true;
      return {
        settle(actual) {
          if (isFirst) settled.push(actual);
          isFirst = false;
        },
      };
    },
  };
}

describe('budget', () => {
  it('sets the estimate aside before, and settles the usage after', async () => {
    const allowance = noting();
    const model = compose(
      scriptedModel(() => answer),
      budget(allowance),
    );
    await model.generate(ask('猫', { maxOutputTokens: 30 }));
    await model.generate(ask('猫'));
    expect(allowance.reserved).toEqual([{ tokens: 32 }, { tokens: 1002 }]);
    expect(allowance.settled).toEqual([{ tokens: 150 }, { tokens: 150 }]);
  });

  it('counts the cost by the price of the model that answers', async () => {
    const allowance = noting();
    const prices = {
      script: { inputPerMillion: 1, outputPerMillion: 10 },
      other: { inputPerMillion: 2, outputPerMillion: 20 },
    };
    const broken = scriptedModel(() => new LLMError('server', 'x'));
    const layers = [
      budget(allowance, { prices }),
      fallback(scriptedModel(() => answer, { modelId: 'other' })),
    ];
    await compose(
      scriptedModel(() => answer),
      ...layers,
    ).generate(request);
    await compose(broken, ...layers).generate(request);
    expect(allowance.settled).toEqual([
      { tokens: 150, costUsd: 0.0006 },
      { tokens: 150, costUsd: 0.0012 },
    ]);
  });

  it('refuses a call when less is left, says how much, and does not ask the model', async () => {
    const allowance = createBudget({ tokens: 1200 });
    const model = scriptedModel(() => answer);
    const composed = compose(model, budget(allowance));
    await composed.generate(request);
    await composed.generate(request);
    expect(allowance.remaining).toEqual({ tokens: 900 });
    const error = await failureOf(composed.generate(request));
    expect(error).toMatchObject({ code: 'quota', isRetryable: false });
    expect(error.message).toBe(
      'the budget is used up: the call may need 1,004 tokens, and 900 of 1,200 are left',
    );
    expect(model.calls).toHaveLength(2);
    await composed.generate({ ...request, maxOutputTokens: 100 });
  });

  it('does not let calls side by side overspend together', async () => {
    const allowance = createBudget({ tokens: 2500 });
    const model = scriptedModel(() => answer, { chunkDelayMs: 5 });
    const composed = compose(model, budget(allowance));
    const calls = await Promise.allSettled([1, 2, 3].map(() => composed.generate(request)));
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(allowance.remaining).toEqual({ tokens: 2200 });
  });

  it('has settled when the reader sees the finish', async () => {
    const allowance = createBudget({ tokens: 2000 });
    const composed = compose(
      scriptedModel(() => answer),
      budget(allowance),
    );
    let left: Spending = {};
    for await (const event of composed.stream(request)) {
      if (event.type === 'finish') left = allowance.remaining;
    }
    expect(left).toEqual({ tokens: 1850 });
  });

  it('settles what came when the reader leaves', async () => {
    const allowance = noting();
    const stub = streaming(() => words('猫'.repeat(10), '犬'.repeat(1000)));
    for await (const event of compose(stub, budget(allowance)).stream(request)) {
      if (event.type === 'text-delta') break;
    }
    expect(allowance.settled[0]?.tokens).toBeGreaterThan(10);
    expect(allowance.settled[0]?.tokens).toBeLessThan(25);
  });

  it('settles the usage of an error in the middle, or an estimate of it', async () => {
    const allowance = noting();
    const partial = await scriptedModel([answer]).generate(request);
    const told = new LLMError('network', 'cut', { partial });
    const untold = new LLMError('network', 'cut');
    for (const error of [told, untold]) {
      const stub = streaming(async function* () {
        yield { type: 'start', warnings: [] };
        yield { type: 'text-delta', index: 0, text: '猫'.repeat(10) };
        throw error;
      });
      await failureOf(compose(stub, budget(allowance)).generate(request));
    }
    expect(allowance.settled[0]).toEqual({ tokens: 150 });
    expect(allowance.settled[1]?.tokens).toBeGreaterThan(10);
    expect(allowance.settled[1]?.tokens).toBeLessThan(25);
  });

  it('takes nothing for a call that failed before any output', async () => {
    const allowance = createBudget({ tokens: 1500, costUsd: 1 });
    const prices = { script: { inputPerMillion: 1, outputPerMillion: 1 } };
    const model = scriptedModel(() => new LLMError('overloaded', 'x'));
    await failureOf(compose(model, budget(allowance, { prices })).generate(request));
    expect(allowance.remaining).toEqual({ tokens: 1500, costUsd: 1 });
  });

  it('refuses a call whose cost is unknown', async () => {
    const model = scriptedModel(() => answer, { modelId: 'toString' });
    const error = await failureOf(
      compose(model, budget(createBudget({ costUsd: 1 }), { prices: {} })).generate(request),
    );
    expect(error).toMatchObject({ code: 'invalid_request', modelId: 'toString' });
    expect(model.calls).toHaveLength(0);
  });

  it('takes nothing for an answer from the cache', async () => {
    await using storage = await inMemoryStorage();
    const allowance = createBudget({ tokens: 5000 });
    const layers = [budget(allowance), cache({ store: storage.files })];
    const composed = compose(
      scriptedModel(() => answer),
      ...layers,
    );
    await composed.generate(request);
    await composed.generate(request);
    expect(allowance.remaining).toEqual({ tokens: 4850 });
  });
});

describe('createBudget', () => {
  it('has no limit on what is absent', () => {
    const allowance = createBudget({});
    allowance.reserve({ tokens: 1e12, costUsd: 1e6 }).settle({ tokens: 1 });
    expect(allowance.remaining).toEqual({});
  });

  it('counts the first settlement only', () => {
    const allowance = createBudget({ tokens: 100, costUsd: 1 });
    const reservation = allowance.reserve({ tokens: 60, costUsd: 0.5 });
    expect(allowance.remaining).toEqual({ tokens: 40, costUsd: 0.5 });
    reservation.settle({ tokens: 10, costUsd: 0.25 });
    reservation.settle({ tokens: 90 });
    expect(allowance.remaining).toEqual({ tokens: 90, costUsd: 0.75 });
  });

  it('refuses by cost too, changes nothing then, and never shows less than 0', () => {
    const allowance = createBudget({ tokens: 100, costUsd: 0.5 });
    expect(() => allowance.reserve({ tokens: 1, costUsd: 0.75 })).toThrow(
      'the budget is used up: the call may need $0.75, and $0.5 of $0.5 remains',
    );
    expect(allowance.remaining).toEqual({ tokens: 100, costUsd: 0.5 });
    allowance.reserve({ tokens: 10 }).settle({ tokens: 130 });
    expect(allowance.remaining).toEqual({ tokens: 0, costUsd: 0.5 });
    expect(() => allowance.reserve({ tokens: 0 })).toThrow('0 of 100 are left');
  });
});

describe('costOf', () => {
  it('counts cached tokens at their price, or at that of the others', () => {
    const price = { inputPerMillion: 2, outputPerMillion: 8 };
    const used = { inputTokens: 1000, cachedInputTokens: 600, outputTokens: 100 };
    expect(costOf(used, price)).toBeCloseTo(0.0028, 12);
    expect(costOf(used, { ...price, cachedInputPerMillion: 0.5 })).toBeCloseTo(0.0019, 12);
    expect(
      costOf({ ...used, cachedInputTokens: 5000 }, { ...price, cachedInputPerMillion: 0 }),
    ).toBeCloseTo(0.0008, 12);
    expect(costOf({}, price)).toBe(0);
  });
});
