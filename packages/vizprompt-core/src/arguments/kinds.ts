import {
  either,
  having,
  OBJECT,
  orNull,
  TEXT,
  TEXTS,
  type Kind,
} from '@vizprompt/providers/config/internal';
import { DEFAULT_LIMITS } from '../limits.ts';

/** An id, or several; `null` says that there is none. */
export const IDS_OR_NONE: Kind<string | readonly string[] | null> = orNull(either(TEXT, TEXTS));
export const STORAGE: Kind<never> = having(
  'a Storage, such as inMemoryStorage()',
  'files',
  'database',
);
export const MODEL: Kind<never> = having(
  'a ChatModel, such as ollama({ model })',
  'stream',
  'generate',
);
export const REGISTRY: Kind<never> = having(
  'a ModelRegistry, such as createModelRegistry()',
  'model',
);
export const RETRIEVER: Kind<never> = having('a Retriever', 'retrieve');
export const COUNTER: Kind<never> = having(
  'a TokenCounter, such as createTokenEstimator()',
  'count',
);
/** A flow or a node as it was read, or the version of it. */
export const VERSION: Kind<string> = either<string, never>(
  TEXT,
  having('what was read, with its version', 'version'),
);

export const LISTENERS: Kind<never> = {
  expected: 'an object of functions by the names of events',
  accepts: (value) =>
    isObject(value) &&
    Object.values(value).every((one) => one === undefined || typeof one === 'function'),
};

/** Limits of a project, each by its name. */
export const LIMITS: Kind<never> = {
  expected: `an object of numbers from 1 with the keys ${Object.keys(DEFAULT_LIMITS).join(', ')}`,
  accepts: (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([key, one]) =>
        Object.hasOwn(DEFAULT_LIMITS, key) &&
        (one === undefined || (typeof one === 'number' && one >= 1)),
    ),
};

/** What JSON can say, to the bottom. */
export const JSON_VALUE: Kind<never> = {
  expected: 'a value of JSON',
  accepts(value) {
    try {
      return JSON.stringify(value) !== undefined;
    } catch {
      return false;
    }
  },
};

/** An object that is no array and no promise. */
export function isObject(value: unknown): value is object {
  return OBJECT.accepts(value);
}

/** Whether a value is an object whose fields are of these kinds. */
export function hasFields(value: unknown, kinds: Readonly<Record<string, Kind>>): boolean {
  if (!isObject(value)) return false;
  return Object.entries(kinds).every(([key, kind]) => {
    const field: unknown = Reflect.get(value, key);
    return kind.accepts(field) || (kind.isOptional === true && field === undefined);
  });
}
