import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Step } from './frames.ts';

/** How steps are carried out. */
export interface SendOptions {
  /** A pause before each write, in milliseconds. */
  readonly delayMs: number;
  /** Each write ends within a character of several bytes, where there is one. */
  readonly isSplit: boolean;
  /** Ends the pauses when the connection is closed. */
  readonly signal: AbortSignal;
  /** Closes the connection. */
  hangUp(): void;
}

/** Carries out the steps of an answer whose headers are set, each write as a chunk of its own. */
export async function send(
  response: ServerResponse,
  steps: readonly Step[],
  { delayMs, isSplit, signal, hangUp }: SendOptions,
): Promise<void> {
  response.flushHeaders();
  let rest: Uint8Array = new Uint8Array();
  for (const step of steps) {
    if (signal.aborted) return;
    if (step.type === 'write') {
      if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      const bytes = Buffer.concat([rest, Buffer.from(step.text)]);
      const end = isSplit ? splitAt(bytes) : bytes.length;
      await write(response, bytes.subarray(0, end));
      rest = bytes.subarray(end);
      continue;
    }
    await write(response, rest);
    if (step.type === 'reset') hangUp();
    return;
  }
  await write(response, rest);
  response.end();
}

/** The last place within a character; the end of the bytes if all are ASCII. */
function splitAt(bytes: Uint8Array): number {
  const at = bytes.findLastIndex((byte) => (byte & 0b1100_0000) === 0b1000_0000);
  return at === -1 ? bytes.length : at;
}

/** Writes, and lets the client have it before anything else happens. */
async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length > 0 && !response.destroyed) {
    await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
  }
  await turn();
}
