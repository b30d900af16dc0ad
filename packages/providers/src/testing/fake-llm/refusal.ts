import type { JsonObject } from '../../json/json-value.ts';
import { fieldsOf } from '../../json/fields.ts';
import { findFault, type Fault } from './faults.ts';

/** Where a server writes how long to wait. */
type RateLimitForm = 'seconds' | 'date' | 'ms' | 'retry-info' | 'message';

/** Why the server says no; each wire has its own status and words for it. */
export type Refusal =
  | { readonly type: 'key'; readonly isMissing: boolean }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'field'; readonly field: string; readonly model: string }
  | { readonly type: 'context'; readonly tokens: number; readonly limit: number }
  | { readonly type: 'quota'; readonly model: string }
  | {
      readonly type: 'rate-limit';
      readonly model: string;
      readonly form: RateLimitForm;
      readonly waitMs: number;
    }
  | {
      readonly type: 'status';
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };

/** A refusal in the form of a wire. */
export interface RefusalBody {
  readonly status: number;
  readonly body: JsonObject;
}

/** Returns the refusal that a fault asks for; `undefined` if the request is to be answered. */
export function refusalOf(
  faults: readonly Fault[],
  model: string,
  body: JsonObject,
): Refusal | undefined {
  const fault = findFault(faults, 'rate-limit', 'quota', 'unsupported-field', 'status');
  switch (fault?.type) {
    case 'rate-limit':
      return { type: 'rate-limit', model, form: fault.form, waitMs: fault.waitMs };
    case 'quota':
      return { type: 'quota', model };
    case 'unsupported-field':
      return hasField(body, fault.field) ? { type: 'field', field: fault.field, model } : undefined;
    case 'status': {
      const { status, headers } = fault;
      const message = `the fake server was set to answer ${status}`;
      return { type: 'status', status, message, headers };
    }
    default:
      return undefined;
  }
}

function hasField(body: JsonObject, path: string): boolean {
  let value: unknown = body;
  for (const name of path.split('.')) {
    const fields = fieldsOf(value);
    if (!Object.hasOwn(fields, name)) return false;
    value = fields[name];
  }
  return true;
}

/** Returns the headers of a refusal, such as those with the time to wait. */
export function refusalHeaders(refusal: Refusal): Readonly<Record<string, string>> {
  if (refusal.type === 'status') return refusal.headers ?? {};
  if (refusal.type !== 'rate-limit') return {};
  const { form, waitMs } = refusal;
  if (form === 'ms') return { 'retry-after-ms': String(waitMs) };
  if (form === 'seconds') return { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  if (form !== 'date') return {};
  const date = new Date(Math.ceil((Date.now() + waitMs) / 1000) * 1000);
  return { 'retry-after': date.toUTCString() };
}

/** The end of the message of a rate limit that has the time to wait there: ` Please … 1.5s.` */
export function waitHint(refusal: Refusal, verb: string): string {
  if (refusal.type !== 'rate-limit' || refusal.form !== 'message') return '';
  const { waitMs } = refusal;
  return ` Please ${verb} in ${waitMs < 1000 ? `${waitMs}ms` : `${waitMs / 1000}s`}.`;
}

/** Returns the `google.rpc.RetryInfo` of a rate limit that has the time to wait there. */
export function retryInfo(refusal: Refusal): readonly JsonObject[] {
  if (refusal.type !== 'rate-limit' || refusal.form !== 'retry-info') return [];
  const retryDelay = `${refusal.waitMs / 1000}s`;
  return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
}
