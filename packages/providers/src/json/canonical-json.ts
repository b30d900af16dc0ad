import type { JsonValue } from './json-value.ts';

/**
 * Canonical JSON: keys sorted, absent and `undefined` alike, so that equal values have equal texts. Bytes become
 * `{ "$bytes": base64 }` and URLs `{ "$url": text }`; what JSON cannot hold becomes `null`.
 */
export function canonicalJson(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (value instanceof URL) return { $url: value.href };
  if (Array.isArray(value)) return value.map(canonicalJson);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([key, field]) => [key, canonicalJson(field)]));
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
