import {
  described,
  having,
  type Kind,
  type Kinds,
  NONEMPTY,
  oneOf,
  oneOrMore,
  optional,
  type OptionalKind,
  SIGNAL,
  TEXT,
  textOf,
  wholeFrom,
} from '@vizprompt/providers/config/internal';
import { EVENT_TYPES, type EventType } from './event-data.ts';

/** A store that a server is made for. */
export const STORE: Kind<never> = having(
  'a store: await MemoryStore.open({ path })',
  'search',
  'log',
);

const WIRE_ID: Kind<string> = {
  ...textOf(1, 200),
  expected: 'a string of 1 to 200 characters without NUL',
  accepts: (value) =>
    typeof value === 'string' && value !== '' && value.length <= 200 && !value.includes('\0'),
};

/** An id: in code any other text is that of nothing. */
export const ID: Kind<string> = { ...TEXT, onWire: WIRE_ID };

export const QUERY: Kind<string> = described(textOf(1, 10_000), {
  en: 'Words; between double quotes literally',
  ja: '語。二重引用符の中はそのまま探す',
});

export const WORKSPACE: OptionalKind<string> = optional(TEXT, {
  en: 'Only the sessions of this folder',
  ja: 'このフォルダーだけ',
  reads: 'path',
});

export const SESSION: OptionalKind<string> = optional(ID, {
  en: 'Only this session: its id',
  ja: 'このセッションだけ(ID)',
});

export const TYPE: OptionalKind<EventType | readonly EventType[]> = optional(
  oneOrMore('types', oneOf(...EVENT_TYPES)),
  { en: 'Only events of these types', ja: 'この種類のイベントだけ' },
);

export const FILE: Kind<string> = described(NONEMPTY, {
  en: 'A file: absolute, or relative to the workspace',
  ja: 'ファイル(絶対パス、または作業フォルダーからの相対パス)',
});

/** Returns a time as ISO 8601; which forms there are is said where it is read. */
export function timeKind(en: string, ja: string): OptionalKind<string> {
  return optional(TEXT, { en: `${en}: ISO 8601`, ja, reads: 'time' });
}

/** How many entries are given, with the number that is meant where none is given. */
export function limitKind(preset: number, most?: number): OptionalKind<number> {
  return optional(wholeFrom(1, most), {
    en: 'How many at most',
    ja: '最大の件数',
    default: preset,
  });
}

/** Options of what can only be stopped. */
export interface SignalOption {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

export const SIGNAL_OPTION: Kinds<SignalOption> = { signal: optional(SIGNAL) };
