import { readToolInput } from '../adapter-kit/repair-json.ts';
import { fieldsOf, isRecord, jsonOf, listOf, stringOf, type Fields } from '../json/fields.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

/** A call that is whole. */
export interface WholeCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
  /** The provider's own record. */
  readonly meta: JsonObject;
}

/**
 * Puts together calls whose arguments are streamed: `partialArgs` with the path and a piece of the value, and
 * `willContinue` in all but the last piece.
 *
 * Source: https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling (streaming arguments)
 */
export class StreamedCall {
  #open:
    | { id: string | undefined; name: string; args: Record<string, JsonValue>; meta: JsonObject }
    | undefined;

  /** Adds a `functionCall`; returns the call once it is whole. */
  add(call: Fields, meta: JsonObject): WholeCall | undefined {
    const [id, name] = [stringOf(call['id']), stringOf(call['name'])];
    const pieces = listOf(call['partialArgs']);
    const isMore = call['willContinue'] === true;
    if (!this.#open && !isMore && pieces.length === 0) {
      return name === undefined ? undefined : { id, name, args: inputOf(call['args']), meta };
    }
    const open = (this.#open ??= { id, name: name ?? '', args: {}, meta: {} });
    open.meta = { ...open.meta, ...meta };
    if (isRecord(call['args'])) Object.assign(open.args, call['args']);
    for (const piece of pieces) put(open.args, fieldsOf(piece));
    if (isMore) return undefined;
    this.#open = undefined;
    return open;
  }
}

/** Servers of others send the arguments as text. */
function inputOf(args: unknown): JsonValue {
  return typeof args === 'string' ? (readToolInput(args)?.value ?? args) : jsonOf(args ?? {});
}

/** Puts a value at its path; a text is added to the one that is there. */
function put(root: Record<string, JsonValue>, piece: Fields): void {
  const steps = Array.from(
    (stringOf(piece['jsonPath']) ?? '').matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g),
  );
  const keys = steps.map(([, name, place, quoted]) => name ?? quoted ?? Number(place));
  const last = keys.pop();
  if (last === undefined) return;
  let at: unknown = root;
  for (const [depth, key] of keys.entries()) {
    const next = keys[depth + 1] ?? last;
    const found: unknown = Reflect.get(Object(at), key);
    const inner =
      typeof found === 'object' && found !== null ? found : typeof next === 'number' ? [] : {};
    Reflect.set(Object(at), key, inner);
    at = inner;
  }
  const before: unknown = Reflect.get(Object(at), last);
  const value = valueOf(piece);
  const joined = typeof before === 'string' && typeof value === 'string' ? before + value : value;
  Reflect.set(Object(at), last, joined);
}

function valueOf(piece: Fields): JsonValue {
  const { stringValue, numberValue, boolValue, nullValue } = piece;
  const value = stringValue ?? numberValue ?? boolValue ?? nullValue ?? null;
  return value === 'NULL_VALUE' ? null : jsonOf(value);
}
