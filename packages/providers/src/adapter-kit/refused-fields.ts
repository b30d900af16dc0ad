import { LruMap } from '../collections/lru-map.ts';
import { fieldsOf } from '../json/fields.ts';
import type { ChatWarning } from '../models/events.ts';
import { codeOf, type HttpFailure } from './http-failure.ts';
import { isCombination, isRefusal, mentions } from './failure-words.ts';

/** Something of a request that a server may refuse, and how the request is written without it. */
export interface Droppable<Settings> {
  /** The servers' names for it; the first name distinguishes it from the others. */
  readonly names: readonly string[];
  /** The field of the request, for the warning; absent where nothing is lost. */
  readonly field?: string;
  /** Returns the value as it was sent; `undefined` if it was not. */
  sent(body: object): unknown;
  /** Checks whether a text speaks of it, where its names do not show it. */
  isMeant?(said: string, param: string | undefined): boolean;
  /** A wish that any complaint ends; otherwise a wrong value is the caller's mistake. */
  readonly isWish?: boolean;
  /** Returns the settings for the next try; `undefined` if there is nothing left to try. */
  adapt(settings: Settings, said: string): Settings | undefined;
  /** How it was done without. Default: it was left out. */
  readonly instead?: string;
}

/** Returns the reader of one field of a body: {@link Droppable.sent}. */
export function inBody(name: string): (body: object) => unknown {
  return (body) => fieldsOf(body)[name];
}

/** Settings that list the fields which are left out. */
interface Sparing {
  readonly without?: readonly string[];
}

/** Returns the next settings, without one more field: {@link Droppable.adapt}. */
export function leaveOut<Settings extends Sparing>(
  name: string,
): (settings: Settings) => Settings | undefined {
  return (settings) => {
    const { without = [] } = settings;
    return without.includes(name) ? undefined : { ...settings, without: [...without, name] };
  };
}

/** Describes a field of the body that is left out when the server refuses it. */
export function optionalField<Settings extends Sparing>(
  name: string,
  field: string,
  more: Partial<Droppable<Settings>> = {},
): Droppable<Settings> {
  return droppableField(name, field, { adapt: leaveOut(name), ...more });
}

/** Describes a field of the body by its name, and the name that it has in a request. */
export function droppableField<Settings>(
  name: string,
  field: string,
  more: Partial<Droppable<Settings>> & Pick<Droppable<Settings>, 'adapt'>,
): Droppable<Settings> {
  return { names: [name], field, sent: inBody(name), ...more };
}

/** A refusal, and when it holds. */
interface Refused<Settings> {
  readonly droppable: Droppable<Settings>;
  readonly said: string;
  /** Only this value of it is refused. */
  readonly value?: string;
  /** It is refused only together with all of these. */
  readonly others: readonly string[];
  /** A refused value, and the words of the refusal. */
  readonly key: string;
}

/** A request that was refused. */
export interface RefusedRequest<Settings> {
  /** As it was sent. */
  readonly body: object;
  /** As it would be for a server that takes everything. */
  readonly plain: object;
  /** By which it was written. */
  readonly settings: Settings;
}

/** Refusals of servers so far, by address and model; they hold as long as the process. */
const known = new LruMap<string, Refused<never>[]>(1000);

/** Statuses with which servers refuse a field. */
const STATUSES: ReadonlySet<number | undefined> = new Set([
  400,
  404,
  405,
  415,
  422,
  500,
  501,
  undefined,
]);

const MAY_BE_FIELDS: ReadonlySet<string> = new Set([
  'invalid_request',
  'unsupported',
  'not_found',
  'server',
]);

/** Codes for a field that the server does not know, whatever its value. */
const UNKNOWN_FIELD = /unsupported_parameter|unknown_parameter|extra_forbidden/i;

/** More would be a server that refuses everything. */
const MAX_TRIES = 12;

/**
 * Leaves out what a server refuses, and asks again: once and for all for what it does not know, for a value where it
 * refuses that value, and for a combination where it refuses that.
 */
export class RefusedFields<Settings> {
  readonly #table: readonly Droppable<Settings>[];
  readonly #known: Refused<Settings>[];
  /** Refusals in this call: the same again would be refused for ever. */
  readonly #seen = new Set<string>();

  /** @param key - The server and the model; what is learned is shared by all calls with the same key. */
  constructor(key: string, table: readonly Droppable<Settings>[]) {
    this.#table = table;
    const shared = known.get(key) ?? [];
    known.set(key, shared);
    this.#known = shared;
  }

  /**
   * Takes note of a refusal.
   *
   * @returns `true` if it is worth another try: something that was sent is refused, and can be done without.
   */
  add(failure: HttpFailure, { body, plain, settings }: RefusedRequest<Settings>): boolean {
    const { status, text, param, reason = '', details = '' } = failure;
    if (!STATUSES.has(status) || this.#seen.size >= MAX_TRIES) return false;
    if (!MAY_BE_FIELDS.has(codeOf(failure))) return false;
    const said = `${reason} ${text}`;
    const meant = this.#meant(said, param, body).filter(({ isWish = false }) =>
      isRefusal(said, isWish),
    );
    const together = isCombination(said);
    const ofValue = !together && isAboutValue(said) && !UNKNOWN_FIELD.test(`${reason} ${details}`);
    let hasNew = false;
    // One field of a combination is enough: the table has the least important first.
    for (const droppable of together ? meant.slice(0, 1) : meant) {
      const key = [droppable.names[0], JSON.stringify(droppable.sent(body)), said].join(' ');
      if (this.#seen.has(key) || droppable.adapt(settings, said) === undefined) continue;
      this.#seen.add(key);
      hasNew = true;
      if (this.#known.some((each) => each.key === key)) continue;
      const value = JSON.stringify(droppable.sent(plain));
      this.#known.push({
        droppable,
        said,
        key,
        others: together ? this.#others(said, droppable, plain) : [],
        ...(ofValue && value !== undefined ? { value } : {}),
      });
    }
    return hasNew;
  }

  /** Returns the settings as this server takes them. */
  adapt(settings: Settings, body: object): Settings {
    return this.#holding(body).reduce(
      (adapted, { droppable, said }) => droppable.adapt(adapted, said) ?? adapted,
      settings,
    );
  }

  /**
   * Returns a warning for each field that would have been sent, after the others.
   *
   * @param others - The warnings of the same request; this one replaces those about the same field.
   */
  warnings(body: object, others: readonly ChatWarning[]): ChatWarning[] {
    const fields = new Map<string, ChatWarning>();
    for (const { droppable, others: rest } of this.#holding(body)) {
      const { names, field, instead = 'it was left out' } = droppable;
      if (field === undefined) continue;
      const named = rest.map((name) => `'${name}'`).join(', ');
      const when = named === '' ? '' : ` together with ${named}`;
      fields.set(field, {
        field,
        message: `the server does not take '${names[0] ?? field}'${when}; ${instead}`,
      });
    }
    return [...others.filter(({ field }) => !fields.has(field ?? '')), ...fields.values()];
  }

  /** Returns the refusals that a request would meet, in the order in which they were learned. */
  #holding(body: object): Refused<Settings>[] {
    return this.#known.filter(({ droppable, value, others }) => {
      const sent = droppable.sent(body);
      if (sent === undefined) return false;
      if (value !== undefined && JSON.stringify(sent) !== value) return false;
      return others.every((name) => this.#isSent(name, body));
    });
  }

  #meant(said: string, param: string | undefined, body: object): Droppable<Settings>[] {
    const sent = this.#table.filter((droppable) => droppable.sent(body) !== undefined);
    const [root = ''] = (param ?? '').replace(/^body\./, '').split(/[.[]/);
    const exact = sent.filter(
      ({ names, isMeant }) => names.includes(root) || isMeant?.(said, param),
    );
    if (exact.length > 0) return exact;
    return sent.filter(
      ({ names, isMeant }) => !isMeant && names.some((name) => mentions(said, name)),
    );
  }

  /** Returns the rest of a refused combination: what the server names, or else all that was sent. */
  #others(said: string, { names }: Droppable<Settings>, body: object): string[] {
    const all = this.#sentNames(body).filter((name) => !names.includes(name));
    const named = all.filter(
      (name) => mentions(said, name) || mentions(said, name.replace(/s$/, '')),
    );
    return named.length > 0 ? named : all;
  }

  #sentNames(body: object): string[] {
    const droppable = this.#table.flatMap(({ names: [name = ''], sent }) =>
      sent(body) === undefined ? [] : [name],
    );
    return 'tools' in body ? [...droppable, 'tools'] : droppable;
  }

  #isSent(name: string, body: object): boolean {
    return this.#sentNames(body).includes(name);
  }
}

/** A field that is known, whose value is not taken. */
function isAboutValue(said: string): boolean {
  return /unsupported[_ ]value|does not support ['"`]?[\w.]+['"`]? with|invalid[_ ]|only [^.]{0,30}(?:is |are )?(?:allowed|supported|accepted|value)|one of|input should be|must be|(?:supported|valid|allowed|accepted) (?:values|levels|types|options|efforts)|\blevel ['"`]|literal_error|unknown variant|not a valid/i.test(
    said,
  );
}
