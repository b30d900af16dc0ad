import type { JsonObject } from '../../json/json-value.ts';
import { findFault, type Fault } from './faults.ts';
import { bodyFrames, type Frame, type Framing } from './frames.ts';

/** The reply, before it is known how it is sent: faults of the connection are not in it. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  readonly framing: Framing;
}

/** Returns a JSON body; an answer that turned out to be an error is a 500. */
export function whole(body: JsonObject, status: number = body['error'] ? 500 : 200): Outcome {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, frames: bodyFrames(body), framing: 'body' };
}

/** Bodies that no wire has. */
export function strangeBody(faults: readonly Fault[]): Outcome | undefined {
  const fault = findFault(faults, 'html', 'not-json', 'status');
  if (fault?.type === 'html') {
    const page = '<!DOCTYPE html>\n<html><body><h1>Please sign in</h1></body></html>\n';
    return plain(fault.status ?? 200, page, { 'content-type': 'text/html; charset=utf-8' });
  }
  if (fault?.type === 'not-json') return plain(200, 'upstream is fine', {});
  if (fault?.type !== 'status' || fault.body === undefined) return undefined;
  if (typeof fault.body === 'string') return plain(fault.status, fault.body, fault.headers);
  const headers = { 'content-type': 'application/json', ...fault.headers };
  return plain(fault.status, JSON.stringify(fault.body), headers);
}

function plain(status: number, text: string, headers: Outcome['headers'] = {}): Outcome {
  const known = { 'content-type': 'text/plain; charset=utf-8', ...headers };
  return { status, headers: known, frames: [{ type: 'content', data: text }], framing: 'body' };
}
