import { createLogger, TypedEvents } from '@vizprompt/providers';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { LogEntry } from '../../src/logging/create-logger.ts';

interface Events {
  'node:created': { readonly id: string };
  'build:progress': { readonly done: number };
}

describe('typed events', () => {
  it('reach every listener in the order they came, until it leaves', () => {
    const events = new TypedEvents<Events>();
    const heard: string[] = [];
    const stop = events.on('node:created', ({ id }) => heard.push(`first ${id}`));
    events.on('node:created', ({ id }) => heard.push(`second ${id}`));
    events.once('node:created', ({ id }) => heard.push(`once ${id}`));
    events.emit('node:created', { id: '1' });
    stop();
    stop();
    events.emit('node:created', { id: '2' });
    expect(heard).toEqual(['first 1', 'second 1', 'once 1', 'second 2']);
    expect(events.listenerCount('node:created')).toBe(1);
    expect(events.listenerCount('build:progress')).toBe(0);
  });

  it('survive listeners that throw or reject, and report them', async () => {
    const entries: LogEntry[] = [];
    const logger = createLogger({ level: 'error', sinks: [(entry) => entries.push(entry)] });
    const events = new TypedEvents<Events>({ logger });
    const heard: string[] = [];
    events.on('node:created', () => {
      throw new Error('thrown');
    });
    events.on('node:created', () => Promise.reject(new Error('rejected')));
    events.on('node:created', ({ id }) => heard.push(id));
    events.emit('node:created', { id: '1' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['1']);
    expect(entries.map(({ message }) => message)).toEqual([
      "a listener of 'node:created' failed: thrown",
      "a listener of 'node:created' failed: rejected",
    ]);
  });

  it('leave alone those who are added or taken away while an event is on its way', () => {
    const events = new TypedEvents<Events>();
    const heard: string[] = [];
    const stop = events.on('node:created', () => {
      stop();
      events.on('node:created', () => heard.push('late'));
    });
    events.on('node:created', () => heard.push('other'));
    events.emit('node:created', { id: '1' });
    expect(heard).toEqual(['other']);
  });

  it('know their payloads', () => {
    const events = new TypedEvents<Events>();
    events.on('build:progress', (payload) => expectTypeOf(payload.done).toEqualTypeOf<number>());
    // @ts-expect-error -- no such event
    events.on('node:removed', () => {});
    // @ts-expect-error -- not its payload
    events.emit('build:progress', { id: '1' });
    expect(events.listenerCount('build:progress')).toBe(1);
  });
});
