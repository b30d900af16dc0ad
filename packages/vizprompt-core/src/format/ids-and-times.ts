import { createHash } from 'node:crypto';
import { uuidFromHash } from '@vizprompt/providers/internal';

/** Checks whether a string is a UUID of any version. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** The name space of all ids that are made from names: an id made for this SDK. */
const NAMESPACE = Buffer.from('6c1a4f0e7d2b4c3a9f5e8b1d0a7c6e42', 'hex');

/**
 * Returns the UUID of version 5 of a name: always the same for the same name.
 *
 * Source: RFC 9562, section 5.5.
 */
export function uuidFromName(...name: readonly string[]): string {
  const digest = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest();
  return uuidFromHash(digest, 5);
}

/** Returns a time as text with the offset of the local time zone: `2026-01-31T12:00:00.000+09:00`. */
export function formatTime(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const sign = minutes < 0 ? '-' : '+';
  const pad = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${local}${sign}${pad(minutes / 60)}:${pad(minutes % 60)}`;
}

/** Checks whether a string is a time of ISO 8601, with a date and a time of day. */
export function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The time of a message whose time is unknown: a node must have one. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000000Z';

/** Returns a time for people to read; `undefined` if it is not known. */
export function knownTime(timestamp: string | undefined): string | undefined {
  return timestamp === undefined || timeValue(timestamp) === 0 ? undefined : timestamp;
}

/** Milliseconds since 1970; of an invalid or unknown time, 0. */
export function timeValue(timestamp: string): number {
  return Date.parse(timestamp) || 0;
}

/** Orders by time, the oldest first; digits below a millisecond count too. */
export function compareTimes(a: string, b: string): number {
  const difference = timeValue(a) - timeValue(b);
  return difference === 0 ? fraction(a) - fraction(b) : difference;
}

function fraction(timestamp: string): number {
  return Number(`0.${/[.,](\d+)/.exec(timestamp)?.[1] ?? '0'}`);
}
