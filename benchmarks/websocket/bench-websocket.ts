import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { median, percentile, round, type BenchOptions, type Figures } from '../figures.ts';

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));
const CLIENTS = 200;
const EVENTS = 500;
const ROUNDS = 3;

/** What one server did for all its clients. */
interface Run {
  /** Events times clients, from the first that was caused to the last that came. */
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** What the process of the server took, the making of the nodes included. */
  readonly cpuMs: number;
  readonly grownMb: number;
}

/** Events of a project to 200 clients, beside `ws` alone that sends the same to everybody. */
export async function benchWebSocket({ log, events = EVENTS }: BenchOptions): Promise<Figures> {
  const runs: Record<'ours' | 'bare', Run[]> = { ours: [], bare: [] };
  for (let at = 0; at < ROUNDS; at++) {
    for (const kind of ['ours', 'bare'] as const) {
      log(`${kind}, round ${at + 1} of ${ROUNDS} ...`);
      runs[kind].push(await run(kind, events));
    }
  }
  const of = (kind: 'ours' | 'bare', figure: (one: Run) => number): number =>
    median(runs[kind].map((one) => figure(one)));
  const p95 = ({ latenciesMs }: Run): number => percentile(latenciesMs, 0.95);
  const ratio = (figure: (one: Run) => number): number =>
    round(median(runs.ours.map((one, at) => figure(one) / figure(runs.bare[at] ?? one))));
  return {
    deliveries_per_s: Math.round(of('ours', ({ perSecond }) => perSecond)),
    deliveries_per_s_bare_ws: Math.round(of('bare', ({ perSecond }) => perSecond)),
    deliveries_ratio_to_bare_ws: ratio(({ perSecond }) => perSecond),
    latency_p95_ms: round(of('ours', p95)),
    latency_p95_ms_bare_ws: round(of('bare', p95)),
    server_cpu_ratio_to_bare_ws: ratio(({ cpuMs }) => cpuMs),
    server_grown_mb: round(of('ours', ({ grownMb }) => grownMb)),
    server_grown_mb_bare_ws: round(of('bare', ({ grownMb }) => grownMb)),
  };
}

async function run(kind: 'ours' | 'bare', events: number): Promise<Run> {
  const server = fork(WORKER, [kind], { execArgv: ['--expose-gc'] });
  try {
    const { url } = await said<{ url: string }>(server);
    const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connect(url, kind)));
    const latenciesMs: number[] = [];
    const heard = sockets.map((socket) => hear(socket, events, latenciesMs));
    const start = performance.now();
    server.send(events);
    const figures = said<{ cpuMs: number; grownMb: number }>(server);
    await Promise.all(heard);
    const seconds = (performance.now() - start) / 1000;
    for (const socket of sockets) socket.terminate();
    return { perSecond: (CLIENTS * events) / seconds, latenciesMs, ...(await figures) };
  } finally {
    server.kill();
  }
}

async function said<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}

/** A client that hears of new nodes; that of the bare server need not ask for it. */
async function connect(url: string, kind: 'ours' | 'bare'): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  if (kind === 'bare') return socket;
  socket.send(JSON.stringify({ action: 'subscribe', data: { event: 'node_created' } }));
  await once(socket, 'message');
  return socket;
}

/** Resolves when all events have come, each once and in order. */
async function hear(socket: WebSocket, events: number, latenciesMs: number[]): Promise<void> {
  let [count, last] = [0, 0n];
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const text = data.toString('latin1');
      const time = /"prompt":"(\d+) /.exec(text)?.[1];
      if (time === undefined) return;
      const began = BigInt(time);
      if (began <= last) reject(new Error('an event came twice, or out of order'));
      last = began;
      latenciesMs.push(Number(process.hrtime.bigint() - began) / 1e6);
      if (++count === events) resolve();
    });
    socket.on('close', () => reject(new Error(`a client was dropped after ${count} events`)));
  });
}
