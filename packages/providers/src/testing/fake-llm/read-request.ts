import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { stringOf } from '../../json/fields.ts';
import { routeOf, type FakeRequest, type FakeWireName } from './fake-request.ts';
import type { FakeWire } from './fake-wire.ts';

/** A request while it is being answered. */
interface RunningRequest extends Omit<FakeRequest, 'isClosedEarly'> {
  isClosedEarly: boolean;
}

/** A request of a known protocol. */
export interface ReadRequest {
  readonly request: RunningRequest;
  /** `false`: the body is not a JSON object. */
  readonly isValid: boolean;
}

/** Reads a request to its end; `undefined` for an unknown address. */
export async function readRequest(
  incoming: IncomingMessage,
  wires: Readonly<Record<FakeWireName, FakeWire>>,
): Promise<ReadRequest | undefined> {
  const { method = '', url: path = '' } = incoming;
  const headers = flatten(incoming);
  const route = routeOf(method, path, headers);
  const json = await text(incoming);
  if (!route) return undefined;
  const parsed = json === '' ? {} : parse(json);
  const body = parsed ?? {};
  const { wire, kind } = route;
  const request = {
    wire,
    kind,
    model: (route.model ?? stringOf(body['model']) ?? '').replace(/^models\//, ''),
    method,
    path,
    headers,
    body,
    isStream: kind === 'chat' && wires[wire].isStream(body, route),
    isClosedEarly: false,
  };
  return { request, isValid: parsed !== undefined };
}

function flatten({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  );
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
