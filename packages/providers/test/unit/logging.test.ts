import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleSink, createLogger, pinoSink, StorageError } from '@vizprompt/providers';
import { fileSink } from '@vizprompt/providers/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatLogEntry } from '../../src/logging/sinks.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { LogEntry } from '../../src/logging/create-logger.ts';

const clock = (): Date => new Date('2026-01-31T12:00:00Z');
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a logger', () => {
  it('writes its level and above, with shared fields, to every sink', () => {
    const [a, b]: [LogEntry[], LogEntry[]] = [[], []];
    const logger = createLogger({
      level: 'info',
      sinks: [(entry) => a.push(entry), (entry) => b.push(entry)],
      fields: { app: 'bot' },
      clock,
    });
    logger.debug('no');
    logger.info('保存した', { id: 1 });
    logger.error('failed');
    expect(a.map(({ message }) => message)).toEqual(['保存した', 'failed']);
    expect(a[0]?.fields).toEqual({ app: 'bot', id: 1 });
    expect(b).toEqual(a);
  });

  it('takes its level from VIZPROMPT_LOG, and is silent without', () => {
    const entries: LogEntry[] = [];
    const sinks = [(entry: LogEntry) => entries.push(entry)];
    createLogger({ sinks }).error('unheard');
    vi.stubEnv('VIZPROMPT_LOG', 'debug');
    createLogger({ sinks }).debug('heard');
    silentLogger.error('unheard');
    expect(entries.map(({ message }) => message)).toEqual(['heard']);
    vi.stubEnv('VIZPROMPT_LOG', 'loud');
    expect(() => createLogger({ sinks })).toThrow(/^VIZPROMPT_LOG: expected .*silent, got 'loud'$/);
  });

  it('is not stopped by a sink that fails', () => {
    const entries: LogEntry[] = [];
    const broken = (): never => {
      throw new Error('disk full');
    };
    createLogger({ level: 'trace', sinks: [broken, (entry) => entries.push(entry)] }).trace('x');
    expect(entries).toHaveLength(1);
  });
});

describe('sinks', () => {
  const entry: LogEntry = { time: 'T', level: 'warn', message: 'careful', fields: { id: 1 } };

  it('write lines to standard error', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    consoleSink()(entry);
    expect(write).toHaveBeenCalledWith('T WARN careful {"id":1}\n');
    expect(formatLogEntry({ ...entry, fields: {} })).toBe('T WARN careful');
  });

  it('append one JSON object a line to a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vizprompt-log-'));
    const path = join(folder, 'log.jsonl');
    const sink = fileSink(path);
    sink(entry);
    sink({ ...entry, message: '改行\nあり' });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: 'T', level: 'warn', message: 'careful', id: 1 },
      { time: 'T', level: 'warn', message: '改行\nあり', id: 1 },
    ]);
    rmSync(folder, { recursive: true });
  });

  const difficult = (): Record<string, unknown> => {
    const circular: Record<string, unknown> = { name: 'me' };
    circular['self'] = circular;
    const cause = new StorageError('io', 'disk full', { context: { size: 5n } });
    return {
      big: 2n ** 70n,
      circular,
      error: Object.assign(new Error('boom', { cause }), { code: 'E_BOOM' }),
      list: [1n, { when: new Date(0) }],
      odd: { toJSON: () => ({ x: 1n }) },
      get thrown(): never {
        throw new Error('on purpose');
      },
    };
  };
  const plain = {
    big: '1180591620717411303424',
    circular: { name: 'me', self: '[circular]' },
    error: {
      name: 'Error',
      message: 'boom',
      code: 'E_BOOM',
      cause: { name: 'StorageError', code: 'io', message: 'disk full', context: { size: '5' } },
    },
    list: ['1', { when: '1970-01-01T00:00:00.000Z' }],
    odd: { x: '1' },
    thrown: '[unreadable]',
  };

  it('lose no line to what JSON cannot hold, and say what an error is', () => {
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const folder = mkdtempSync(join(tmpdir(), 'vizprompt-log-'));
    const path = join(folder, 'log.jsonl');
    const logger = createLogger({ level: 'info', sinks: [consoleSink(), fileSink(path)], clock });
    logger.info('difficult', difficult());
    logger.info('deep', {
      nested: {
        ...plain,
        get inner(): never {
          throw new Error('on purpose');
        },
      },
    });
    lines.push(...readFileSync(path, 'utf8').trimEnd().split('\n'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: '2026-01-31T12:00:00.000Z', level: 'info', message: 'difficult', ...plain },
      {
        time: '2026-01-31T12:00:00.000Z',
        level: 'info',
        message: 'deep',
        nested: { ...plain, inner: '[unreadable]' },
      },
    ]);
    expect(String(write.mock.calls[0]?.[0])).toContain(JSON.stringify(plain));
    rmSync(folder, { recursive: true });
  });

  it('keep their own time, level and message, and the fields of these names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vizprompt-log-'));
    const path = join(folder, 'not/yet/there/log.jsonl');
    fileSink(path)({ ...entry, fields: { time: 1, level: 'info', message: 'forged', id: 2 } });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      time: 'T',
      level: 'warn',
      message: 'careful',
      'fields.time': 1,
      'fields.level': 'info',
      'fields.message': 'forged',
      id: 2,
    });
    expect(() => fileSink(join(path, 'below'))).toThrow(
      /cannot log to .*below': (?:expected a folder|ENOTDIR)/,
    );
    expect(() => fileSink(folder)).toThrow(/EISDIR/);
    rmSync(folder, { recursive: true });
  });

  it('let nothing that is logged pass for a line of its own', () => {
    const forged = 'ok\nT ERROR forged\r\u001b[2K\u009b1A\u2028\u202e';
    const line = formatLogEntry({ ...entry, message: forged, fields: { forged } });
    const escaped = String.raw`ok\nT ERROR forged\u000d\u001b[2K\u009b1A\u2028\u202e`;
    expect(line.startsWith(`T WARN careful`)).toBe(false);
    expect(line.startsWith(`T WARN ${escaped} {`)).toBe(true);
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({ forged });
  });

  it('hand fields and message to pino in its order', () => {
    const pino = { trace: vi.fn(), debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    pinoSink(pino)(entry);
    expect(pino.warn).toHaveBeenCalledWith({ id: 1 }, 'careful');
  });
});
