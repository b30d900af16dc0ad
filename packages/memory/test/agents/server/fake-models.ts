import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { JsonObject } from '@vizprompt/providers';
import { objectOf, parseJson } from '@vizprompt/providers/internal';
import { markIn, type Action, type Step } from '../scene.ts';
import type { Call, Protocol } from './protocol.ts';
import { writeJson } from './protocol.ts';
import { SaidResults } from './said-results.ts';

/** A complete request to the server. */
interface Request {
  readonly url: string;
  readonly body: JsonObject;
  /** The question that was answered, by its mark, and which answer to it. */
  readonly mark?: string;
  readonly step?: number;
}

/** A server in place of the model of an agent. */
export interface FakeModels {
  readonly url: string;
  readonly requests: readonly Request[];
  /** The results of tools that it got. */
  readonly said: SaidResults;
  /** Hosts that the agent tried to reach, all refused. */
  readonly refused: readonly string[];
  /** Sets the answers, by the mark of the question. */
  play(answers: ReadonlyMap<string, readonly Step[]>): void;
  /** Resolves when a step of a question is asked for. */
  reached(mark: string, step: number): Promise<void>;
  /** Lets a step of a question wait for something. */
  hold(mark: string, step: number, until: Promise<unknown>): void;
  close(): Promise<void>;
}

/** Facts about an agent that its fake models need. */
interface Modelled {
  readonly protocols: readonly Protocol[];
  ends?(answer: string): Call;
}

/**
 * Starts a server on 127.0.0.1 that answers as the model of an agent. It is its proxy, too, and refuses whatever else
 * the agent wants to reach.
 *
 * @param callsOf - The calls by which the agent does something.
 */
export async function startFakeModels(
  { protocols, ends }: Modelled,
  callsOf: (action: Action) => readonly Call[],
): Promise<FakeModels> {
  const requests: Request[] = [];
  const said = new SaidResults();
  const refused: string[] = [];
  const waiting = new Map<string, () => void>();
  const held = new Map<string, Promise<unknown>>();
  let answers: ReadonlyMap<string, readonly Step[]> = new Map();
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      writeJson(response, { error: { message: String(error) } }, 500);
    });
  });
  server.on('connect', (request, socket) => {
    refused.push(request.url ?? '');
    // The agent may have gone.
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url.startsWith('http')) {
      refused.push(url);
      writeJson(response, { error: { message: 'only the fake models can be reached' } }, 403);
      return;
    }
    const body = objectOf(parseJson(await textOf(request)));
    for (const protocol of protocols) {
      const asked = protocol.read(url, body);
      if (!asked) {
        const value = protocol.other?.(url);
        if (value === undefined) continue;
        writeJson(response, value);
        return;
      }
      for (const text of asked.results) said.add(text);
      const marked = asked.prompts.map(markIn).findLast((found) => found !== undefined);
      const steps = marked === undefined ? undefined : answers.get(marked);
      if (!asked.hasTools || marked === undefined || !steps) {
        requests.push({ url, body });
        protocol.write(response, { say: '題', calls: [], step: 0 }, url, body);
        return;
      }
      const step = asked.callsAfter((text) => markIn(text) !== undefined);
      requests.push({ url, body, mark: marked, step });
      waiting.get(`${marked} ${step}`)?.();
      await held.get(`${marked} ${step}`);
      const { think, say, do: actions = [], delayMs } = steps[step] ?? { say: '（続きなし）' };
      if (delayMs !== undefined) await new Promise((done) => setTimeout(done, delayMs).unref());
      const isEnd = step === steps.length - 1 && !/:\d+⟧$/u.test(marked);
      const last = isEnd && ends && say !== undefined ? [ends(say)] : [];
      const calls = [...actions.flatMap(callsOf), ...last];
      protocol.write(response, { think, say, calls, step }, url, body);
      return;
    }
    requests.push({ url, body });
    writeJson(response, { error: { message: 'not here' } }, 404);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    said,
    refused,
    play: (given) => (answers = given),
    hold: (mark, step, until) => held.set(`${mark} ${step}`, until),
    reached: (mark, step) => new Promise((done) => waiting.set(`${mark} ${step}`, done)),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
