import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  consoleSink,
  createLogger,
  formatLogEntry,
  pinoSink,
  silentLogger,
  type LogEntry,
} from '@vizprompt/providers';
import { fileSink } from '@vizprompt/providers/node';
import { afterEach, describe, expect, it, vi } from 'vitest';

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
    expect(() => createLogger({ sinks })).toThrow(/unknown log level 'loud'.*silent/);
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

  it('hand fields and message to pino in its order', () => {
    const pino = { trace: vi.fn(), debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    pinoSink(pino)(entry);
    expect(pino.warn).toHaveBeenCalledWith({ id: 1 }, 'careful');
  });
});
