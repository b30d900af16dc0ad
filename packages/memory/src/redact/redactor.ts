import {
  defaultRedactionRules,
  type JsonObject,
  type JsonValue,
  redact,
  type RedactOptions,
} from '@vizprompt/providers';
import {
  AMOUNT,
  ARRAY,
  either,
  type Kinds,
  objectOf,
  optional,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { isError, type Redaction, type RuleChanges } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { filePath, workspacePath } from '../model/paths.ts';
import { RecentTexts, TextCache } from '../text-cache.ts';

/** This much of the place of a value is in a message. */
const MAX_PLACE = 120;
/** Values of JSON are no deeper than this. */
const MAX_DEPTH = 200;

/** Facts that are known about texts, with one set of rules. */
interface KnownTexts {
  /** Texts without secrets: names, paths and ids come with many events. */
  readonly short: RecentTexts;
  readonly long: TextCache<true>;
  /** The rules are the default ones, which take no UUID for a secret, and no name of {@link OWN_IDS} for that of one. */
  readonly isDefault: boolean;
}

const knownTexts = new WeakMap<RedactOptions, KnownTexts>();

/** Takes secrets out of texts and JSON, counts them, and refuses what cannot be stored. */
export class Redactor {
  /** How many secrets were removed so far. */
  count = 0;
  /** The same, by the names of the rules. */
  readonly counts: Map<string, number> = new Map();
  readonly #options: RedactOptions | false;
  readonly #known: KnownTexts | undefined;

  constructor(options: RedactOptions | false) {
    this.#options = options;
    if (options === false) return;
    this.#known = knownTexts.get(options) ?? {
      short: new RecentTexts(),
      long: new TextCache(),
      isDefault: isDefault(options),
    };
    knownTexts.set(options, this.#known);
  }

  /**
   * @param place - The place of the text, for messages.
   * @throws MemoryError `invalid-text` for a lone surrogate.
   */
  text(text: string, place: string): string {
    if (this.#isClean(text)) return text;
    if (!text.isWellFormed()) {
      throw new MemoryError(
        'invalid-text',
        `${place} holds a lone surrogate, half of a character: repair it with toWellFormed() before`,
      );
    }
    if (this.#options === false) return text;
    const { text: clean, redactions } = redact(text, this.#options);
    this.#count(redactions);
    if (redactions.length === 0) this.#noteClean(clean);
    return clean;
  }

  #isClean(text: string): boolean {
    const known = this.#known;
    if (!known) return false;
    if (known.isDefault && isUuid(text)) return true;
    return known.short.has(text) || known.long.get(text) === true;
  }

  #noteClean(text: string): void {
    this.#known?.short.add(text);
    this.#known?.long.set(text, true);
  }

  #count(redactions: readonly Redaction[]): void {
    this.count += redactions.length;
    for (const { rule } of redactions) this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
  }

  /** Returns a copy of a value without secrets; `undefined` in objects is left out. */
  json(value: unknown, place: string, depth = 0): JsonValue {
    if (typeof value === 'string') return this.text(value, place);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (depth > MAX_DEPTH) throw notJson(place, `is nested more than ${MAX_DEPTH} levels deep`);
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return items.map((item, index) => this.json(item, `${place}[${index}]`, depth + 1));
    }
    if (typeof value === 'object') {
      // Dates, maps and bytes have no fields, and would be lost as {}.
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      if (kind !== 'Object') throw notJson(place, `is of the kind ${kind}`);
      return this.#object(value, place, depth);
    }
    throw notJson(place, `is ${typeof value === 'number' ? String(value) : typeof value}`);
  }

  /** Returns the same for an object. */
  object(value: object, place: string): JsonObject {
    return this.#object(value, place, 0);
  }

  #object(value: object, place: string, depth: number): JsonObject {
    const copy: Record<string, JsonValue> = {};
    for (const [given, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const name = freeName(copy, this.text(given, `a key of ${place}`));
      const inner = `${place}.${name}`;
      const clean =
        typeof field === 'string'
          ? this.#field(given, field, inner)
          : this.json(field, inner, depth + 1);
      // A key such as __proto__ must become a key, not a prototype.
      if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value: clean });
      else copy[name] = clean;
    }
    return copy;
  }

  /** Returns a text that is judged with the name of its field, as in `"password": "..."`. */
  #field(name: string, text: string, place: string): string {
    const clean = this.text(text, place);
    if (this.#options === false || !SECRET_NAME.test(name)) return clean;
    if (this.#known?.isDefault === true && OWN_IDS.has(name)) return clean;
    const before = `${name}="`;
    const named = `${before}${clean}"`;
    if (this.#isClean(named)) return clean;
    const { text: whole, redactions } = redact(named, this.#options);
    if (redactions.length === 0) this.#noteClean(named);
    if (redactions.length === 0 || !whole.startsWith(before) || !whole.endsWith('"')) return clean;
    this.#count(redactions);
    return whole.slice(before.length, -1);
  }
}

/** Names of fields that a rule may take for those of secrets. */
const SECRET_NAME = /key|token|secret|pass|pwd|auth|credential|cookie|dsn|pat$|mnemonic|id$/i;

/** Fields of ids that recorders write: with the default rules, none of them is the name of a secret. */
const OWN_IDS: ReadonlySet<string> = new Set([
  'agent_id',
  'intention_event_id',
  'message_id',
  'parent_tool_use_id',
  'request_id',
  'tool_use_id',
  'uuid',
]);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

function isDefault({ rules = {}, entropy }: RedactOptions): boolean {
  if (entropy !== undefined) return false;
  return rules === defaultRedactionRules || (!isList(rules) && (rules.add ?? []).length === 0);
}

/** Keys that were different must stay so when their secrets are gone. */
function freeName(taken: object, name: string): string {
  if (!Object.hasOwn(taken, name)) return name;
  for (let count = 2; ; count++) {
    const next = `${name} (${count})`;
    if (!Object.hasOwn(taken, next)) return next;
  }
}

const OWN = { enumerable: true, configurable: true, writable: true };

function notJson(place: string, why: string): MemoryError {
  const start = place.length > MAX_PLACE ? `${place.slice(0, MAX_PLACE)}...` : place;
  return new MemoryError('invalid-input', `${start} ${why}, which is no JSON`);
}

/** Returns a path as it is stored and looked for: without secrets. */
export function storedPath(path: string, options: RedactOptions | false): string {
  return new Redactor(options).text(path, 'a path');
}

/**
 * Returns the absolute path of a file without secrets.
 *
 * @throws MemoryError `path-outside`.
 */
export function storedFile(
  path: string,
  workspace: string,
  options: RedactOptions | false,
): string {
  // Before, as `//` of an address becomes `/`, and afterwards, as folders may be what says that it is secret.
  return storedPath(filePath(storedPath(path, options), workspace), options);
}

/** Returns the absolute path of a workspace without secrets. */
export function storedWorkspace(path: string | undefined, options: RedactOptions | false): string {
  return storedPath(workspacePath(path), options);
}

/**
 * Refuses to change files in a workspace whose path is not stored as it is: another folder would be changed.
 *
 * @throws MemoryError `invalid-input`.
 */
export function assertRealWorkspace(workspace: string): void {
  if (!workspace.includes('[redacted:')) return;
  throw new MemoryError(
    'invalid-input',
    `cannot edit files in ${workspace}: its path has a secret, which is not stored: rename the folder`,
  );
}

/**
 * Refuses an id that holds a secret: ids are stored and shown as they are.
 *
 * @throws MemoryError `invalid-input`.
 */
export function assertCleanId(
  id: string | undefined,
  what: string,
  options: RedactOptions | false,
): void {
  if (id === undefined) return;
  const cleaner = new Redactor(options);
  const clean = cleaner.text(id, what);
  if (cleaner.count === 0) return;
  throw new MemoryError(
    'invalid-input',
    `${what}: expected an id without a secret, got ${clean}: use another id`,
  );
}

const CHANGES: Kinds<RuleChanges> = { add: optional(ARRAY), remove: optional(TEXTS) };

/** The option `redact` of a store. */
const REDACT_OPTIONS: Kinds<RedactOptions> = {
  rules: optional(either(ARRAY, objectOf<RuleChanges>(CHANGES))),
  entropy: optional(AMOUNT),
};

/**
 * Returns the rules of a store: the default ones, and those that are given.
 *
 * @throws MemoryError `invalid-input` that names the rule whose pattern has the wrong flags.
 */
export function redactionOptions(given: RedactOptions | false = {}): RedactOptions | false {
  if (given === false) return false;
  checkOptions('redact', given, REDACT_OPTIONS);
  // A rule of one's own must not open the door to everything that the default rules keep out.
  const options = { ...given, rules: rulesOf(given.rules) };
  try {
    redact('', options);
  } catch (cause) {
    const why = isError(cause) ? cause.message : '';
    throw new MemoryError('invalid-input', `redact: ${why}`, { cause });
  }
  return options;
}

/** Changes of the default rules, whether a list of more was given or changes. */
function rulesOf(given: RedactOptions['rules'] = []): RuleChanges {
  if (isList(given)) return { add: given.filter((rule) => !defaultRedactionRules.includes(rule)) };
  return given;
}

function isList(
  rules: NonNullable<RedactOptions['rules']>,
): rules is Exclude<RedactOptions['rules'], RuleChanges | undefined> {
  return Array.isArray(rules);
}
