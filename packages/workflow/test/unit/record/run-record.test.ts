import type { Turn, TurnRecorder } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  activityRecorder,
  RunRecord,
  type RunTurn,
  type TurnEnd,
} from '../../../src/run/run-record.ts';

const startedAt = '2026-01-31T12:00:00.000Z';
const end: TurnEnd = { status: 'done', output: '猫', endedAt: '2026-01-31T12:00:01.000Z' };

function work(path: string, ...follows: string[]): RunTurn {
  return { path, follows, kind: 'turn', speaker: 'A', input: `問い ${path}`, startedAt };
}

/** Returns a recorder that refuses turns which follow what it has not, as that of core does. */
function strictRecorder(
  fails: (turn: Turn) => boolean = () => false,
): TurnRecorder & { turns: Turn[] } {
  const turns: Turn[] = [];
  return {
    specVersion: 1,
    turns,
    async record(turn) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (fails(turn)) throw new Error(`cannot write ${turn.id}`);
      const missing = turn.follows.find((id) => !turns.some((other) => other.id === id));
      if (missing !== undefined)
        throw new Error(`${turn.id} follows ${missing}, which is not there`);
      turns.push(turn);
    },
  };
}

describe('the record of a run', () => {
  it('is not waited for without end, unless it is required', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const hanging: TurnRecorder = { specVersion: 1, record: () => new Promise(() => undefined) };
    const failures: unknown[] = [];
    const failed = (error: unknown): unknown => failures.push(error);
    const record = new RunRecord({ runId: 'r', recorders: [hanging], failed });
    await record.began(work('draft'));
    const flushed = record.flush();
    await vi.advanceTimersByTimeAsync(10_000);
    await flushed;
    expect(failures).toMatchObject([{ code: 'recorder-failed' }]);
    const recorders = [{ recorder: hanging, required: true }];
    const required = new RunRecord({ runId: 'r', recorders, failed });
    const goesOn = vi.fn();
    void required.began(work('draft')).then(goesOn, goesOn);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(goesOn).not.toHaveBeenCalled();
  });

  it('makes a turn of each piece of work', async () => {
    const recorder = strictRecorder();
    const record = new RunRecord({ runId: 'r', recorders: [recorder], failed: fail });
    await record.began(work('draft'));
    await record.flush();
    await record.ended(work('draft'), {
      ...end,
      model: 'ollama:m',
      usage: { inputTokens: 3 },
    });
    await record.ended(
      { ...work('all', 'draft'), kind: 'aggregate', input: { a: [1] } },
      {
        ...end,
        output: { label: '良' },
      },
    );
    await record.flush();
    expect(recorder.turns).toMatchObject([
      { id: 'draft', conversationId: 'r', follows: [], status: 'pending', output: [] },
      {
        id: 'draft',
        status: 'done',
        output: [{ type: 'text', text: '猫' }],
        model: 'ollama:m',
        usage: { inputTokens: 3 },
        endedAt: end.endedAt,
      },
      {
        id: 'all',
        kind: 'aggregate',
        follows: ['draft'],
        input: [{ text: '{\n  "a": [\n    1\n  ]\n}' }],
        output: [{ text: '{\n  "label": "良"\n}' }],
      },
    ]);
  });

  it('keeps the order, does not keep the run waiting, and records once what ended meanwhile', async () => {
    const recorder = strictRecorder();
    const record = new RunRecord({ runId: 'r', recorders: [recorder], failed: fail });
    for (let at = 0; at < 50; at++) {
      const turn = at === 0 ? work('0') : work(`${at}`, `${at - 1}`);
      await record.began(turn);
      await record.ended(turn, end);
    }
    expect(recorder.turns.length).toBeLessThan(50);
    await record.flush();
    const last = new Map(recorder.turns.map((turn) => [turn.id, turn.status]));
    expect([...last]).toEqual(Array.from({ length: 50 }, (_, at) => [`${at}`, 'done']));
    expect(recorder.turns.length).toBeLessThan(60);
  });

  it('reports a recorder that fails, and leaves a hole that cuts nothing off', async () => {
    const errors: unknown[] = [];
    const broken = strictRecorder(({ id }) => id === '2' || id === '3');
    const whole = strictRecorder();
    const record = new RunRecord({
      runId: 'r',
      recorders: [broken, { recorder: whole }],
      failed: (error) => errors.push(error),
    });
    for (const turn of [work('1'), work('2', '1'), work('3', '2'), work('4', '3', '1')]) {
      await record.ended(turn, end);
    }
    await record.flush();
    expect(broken.turns.map(({ id, follows }) => [id, follows])).toEqual([
      ['1', []],
      ['4', ['1']],
    ]);
    expect(whole.turns.at(-1)?.follows).toEqual(['3', '1']);
    expect(errors).toMatchObject([{ message: 'cannot write 2' }, { message: 'cannot write 3' }]);
  });

  it('keeps a turn that began in its place where its end cannot be recorded', async () => {
    const errors: unknown[] = [];
    const recorder = strictRecorder(({ id, status }) => id === '1' && status === 'done');
    const record = new RunRecord({
      runId: 'r',
      recorders: [recorder],
      failed: (error) => errors.push(error),
    });
    await record.began(work('1'));
    await record.flush();
    await record.ended(work('1'), end);
    await record.ended(work('2', '1'), end);
    await record.flush();
    expect(recorder.turns.map(({ id, follows }) => [id, follows])).toEqual([
      ['1', []],
      ['2', ['1']],
    ]);
    expect(errors).toHaveLength(1);
  });

  it('stops a run whose required recorder fails', async () => {
    const errors: unknown[] = [];
    const recorder = strictRecorder(({ id }) => id === '2');
    const record = new RunRecord({
      runId: 'r',
      recorders: [{ recorder, required: true }],
      failed: (error) => errors.push(error),
    });
    await record.ended(work('1'), end);
    expect(recorder.turns).toHaveLength(1);
    await expect(record.ended(work('2', '1'), end)).rejects.toMatchObject({
      code: 'recorder-failed',
      context: { path: '2' },
    });
    await expect(record.flush()).rejects.toMatchObject({ code: 'recorder-failed' });
    expect(errors).toHaveLength(1);
  });
});

describe('the recorder of an activity', () => {
  it('gives turns to all, and fails with the required ones only', async () => {
    const errors: unknown[] = [];
    const failed = (error: unknown): void => void errors.push(error);
    const broken = strictRecorder(() => true);
    const whole = strictRecorder();
    const turn = { id: '1', follows: [] } as unknown as Turn;
    await activityRecorder([broken, whole], failed)?.record(turn);
    expect(whole.turns).toEqual([turn]);
    const strict = activityRecorder([{ recorder: broken, required: true }], failed);
    await expect(strict?.record(turn)).rejects.toThrow('cannot write 1');
    expect(errors).toHaveLength(2);
    expect(activityRecorder([], failed)).toBeUndefined();
  });
});

function fail(error: unknown): void {
  throw error;
}
