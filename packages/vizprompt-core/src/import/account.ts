import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { ImportedConversation, ImportedMessage } from './conversation.ts';
import { parseNested, squash } from './fields.ts';
import type { SourceEntry } from './gather-records.ts';
import type { ImportedTexts } from './import-options.ts';

/** The counts of the texts of an entry: `total` is the sum of kept and omitted texts. */
export interface TextCounts {
  readonly total: number;
  readonly kept: number;
  /** The number of omitted texts by place, such as `mapping.*.message.status`. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Returns the counts of an entry whose texts are all omitted. */
function countLeftOut(value: JsonValue): TextCounts {
  const account = new Account([]);
  const lost = account.walk(value, undefined);
  if (lost !== undefined) account.leaveOut(lost);
  return account.counts();
}

/**
 * Compares an entry of a source with the conversations read from it, so that no text is lost silently: text that
 * no reader understood is added to its message as `data`, or else to the first one.
 *
 * @param rest - The treatment of texts that belong to no message. `leave`: they are only counted by place.
 */
export function accountFor(
  entry: JsonValue,
  conversations: readonly ImportedConversation[],
  rest: 'keep' | 'leave',
): { readonly conversations: readonly ImportedConversation[]; readonly texts: TextCounts } {
  const account = new Account(conversations);
  const lost = account.walk(entry, undefined);
  const home = rest === 'keep' ? conversations[0]?.messages[0] : undefined;
  if (lost !== undefined && home) account.keep(home, lost);
  else if (lost !== undefined) account.leaveOut(lost);
  return {
    conversations: conversations.map((each) => account.settled(each)),
    texts: account.counts(),
  };
}

/** Fields whose words say how the rest is to be read, such as `type: "text"`. */
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    'type contenttype role sender from author object status state channel recipient kind ft pt finishreason stopreason ' +
    'language model modelslug defaultmodelslug provider modelprovider version format mimetype mediatype mimetypes filetype ' +
    'messagetype endturn direction operation requestid turnexchangeid clientid voice encoding timezone locale cwd gitbranch ' +
    'usertype entrypoint slug visibility currency code unit platform source origin resolvedmodelslug serialization ' +
    'publicity weight gizmotype asyncstatus stopsequence effort level cliversion originator intendedusage steptype aspecttype ' +
    'inputmode mode variant theme color icon lang'
  ).split(' '),
);

const ID =
  /(?:^|_)(?:id|uuid|guid)s?$|(?:Id|ID|Uuid|UUID)s?$|^parent|^(?:current_node|currentId|currNode|children)|Ids?$/;
const TIME =
  /(?:^|_)(?:time|date|at|timestamp)$|(?:At|Time|Date|Timestamp)$|^(?:created|updated|modified|lastModified)$/;

/** The fields of a message that are not said in it, or are taken in another way. */
const LINKS: ReadonlySet<string> = new Set(['raw', 'notes', 'rewritten', 'id', 'parent', 'role']);

/** Objects that hold a message, and not its id. */
const WRAPPED: ReadonlySet<string> = new Set(['message', 'response']);

/** The meaning of a key for a text of one word. */
interface KeyKind {
  /** It names an id or a time. */
  readonly isLink: boolean;
  /** It says how the rest is to be read. */
  readonly isStructure: boolean;
}

function kindOf(key: string): KeyKind {
  return { isLink: ID.test(key) || TIME.test(key), isStructure: STRUCTURE.has(squash(key)) };
}

/** Checks whether a text is one word without white space, as ids and names of kinds are. */
function isWord(text: string): boolean {
  return text.length <= 200 && !/\s/.test(text);
}

class Account {
  readonly #kept = new Set<string>();
  readonly #byRaw = new Map<JsonValue, ImportedMessage>();
  readonly #rests = new Map<ImportedMessage, JsonValue[]>();
  readonly #said = new Map<ImportedMessage, string>();
  /** The number of omitted texts by path; several paths may be one place. */
  readonly #leftOut = new Map<string, number>();
  /** The meanings of keys: messages have few different ones, and matching each again takes time. */
  readonly #kinds = new Map<string, KeyKind>();
  /** The keys from the entry to the current value. */
  readonly #path: string[] = [];
  #total = 0;

  constructor(conversations: readonly ImportedConversation[]) {
    for (const { title, messages } of conversations) {
      this.#kept.add(title);
      for (const message of messages) this.#take(message);
    }
  }

  #take(message: ImportedMessage): void {
    const { raw, notes, rewritten = [] } = message;
    if (raw !== undefined && !this.#byRaw.has(raw)) this.#byRaw.set(raw, message);
    for (const text of rewritten) this.#kept.add(text);
    for (const [name, said] of Object.entries(message)) if (!LINKS.has(name)) this.#takeAll(said);
    if (notes) this.#takeAll({ ...notes, branches: [...notes.branches] });
  }

  #takeAll(value: unknown): void {
    if (typeof value === 'string') this.#kept.add(value);
    else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) this.#takeAll(each);
    }
  }

  /** Counts the texts of a value, and returns what of it was lost. */
  walk(value: JsonValue, owner: ImportedMessage | undefined): JsonValue | undefined {
    if (typeof value === 'string') return this.#judge(value, owner) ? undefined : value;
    if (typeof value !== 'object' || value === null) return undefined;
    const own = this.#byRaw.get(value);
    if (own && own !== owner) {
      const lost = this.#inMessage(() => this.walk(value, own));
      if (lost !== undefined) this.keep(own, lost);
      return undefined;
    }
    if (isJsonObject(value)) return this.#walkObject(value, owner);
    const lost: JsonValue[] = [];
    this.#path.push('*');
    for (const each of Object.values(value)) {
      const rest = this.walk(each, owner);
      if (rest !== undefined) lost.push(rest);
    }
    this.#path.pop();
    return lost.length > 0 ? lost : undefined;
  }

  /** Names the place of a message by a star, as its key in a map is an id. */
  #inMessage<Result>(walk: () => Result): Result {
    const at = this.#path.length - (WRAPPED.has(this.#path.at(-1) ?? '') ? 2 : 1);
    const key = this.#path[at];
    if (key === undefined) return walk();
    this.#path[at] = '*';
    const result = walk();
    this.#path[at] = key;
    return result;
  }

  #walkObject(value: JsonObject, owner: ImportedMessage | undefined): JsonValue | undefined {
    let lost: Map<string, JsonValue> | undefined;
    for (const key in value) {
      const each = value[key];
      if (each === undefined || !Object.hasOwn(value, key)) continue;
      this.#path.push(key);
      const rest = this.walk(each, owner);
      this.#path.pop();
      if (rest !== undefined) (lost ??= new Map()).set(key, rest);
    }
    if (!lost) return undefined;
    // Numbers next to a lost text, such as the start of a citation, belong to it.
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'number' || typeof each === 'boolean') lost.set(key, each);
    }
    return Object.fromEntries(lost);
  }

  /** Checks whether a text is kept, or says nothing that could be lost. */
  #judge(text: string, owner: ImportedMessage | undefined): boolean {
    if (text.trim() === '') return true;
    const isOneWord = isWord(text);
    const kind = isOneWord ? this.#kind() : undefined;
    if (kind?.isLink) return true;
    this.#total++;
    if (this.#isKept(text, owner)) return true;
    if (!kind?.isStructure) return false;
    this.#count();
    return true;
  }

  /** Returns what the innermost key of the place says. */
  #kind(): KeyKind {
    let at = this.#path.length - 1;
    while (this.#path[at] === '*') at--;
    const key = this.#path[at] ?? '';
    const known = this.#kinds.get(key);
    if (known) return known;
    const kind = kindOf(key);
    this.#kinds.set(key, kind);
    return kind;
  }

  #isKept(text: string, owner: ImportedMessage | undefined): boolean {
    if (this.#kept.has(text) || this.#kept.has(text.trim())) return true;
    if (/^\s*[[{"]/.test(text)) {
      const parsed = parseNested(text);
      if (parsed !== undefined && typeof parsed !== 'string' && this.#hasAll(parsed, owner))
        return true;
    }
    return (
      owner !== undefined && text.trim().length >= 8 && this.#saidBy(owner).includes(text.trim())
    );
  }

  #hasAll(value: JsonValue, owner: ImportedMessage | undefined): boolean {
    if (typeof value === 'string') return value.trim() === '' || this.#isKept(value, owner);
    if (typeof value !== 'object' || value === null) return true;
    return Object.values(value).every((each) => this.#hasAll(each, owner));
  }

  #saidBy(message: ImportedMessage): string {
    const known = this.#said.get(message);
    if (known !== undefined) return known;
    const texts = message.parts.map((part) => ('text' in part ? part.text : ''));
    const said = texts.join('\n');
    this.#said.set(message, said);
    return said;
  }

  #count(): void {
    const path = this.#path.join('\0');
    this.#leftOut.set(path, (this.#leftOut.get(path) ?? 0) + 1);
  }

  /** Adds what was lost to a message. */
  keep(message: ImportedMessage, lost: JsonValue): void {
    const rests = this.#rests.get(message);
    if (rests) rests.push(lost);
    else this.#rests.set(message, [lost]);
  }

  /** Counts what was lost as left out. */
  leaveOut(lost: JsonValue): void {
    if (typeof lost === 'string') this.#count();
    else if (typeof lost === 'object' && lost !== null) {
      for (const [key, each] of Object.entries(lost)) {
        this.#path.push(Array.isArray(lost) ? '*' : key);
        this.leaveOut(each);
        this.#path.pop();
      }
    }
  }

  /** Returns a conversation whose messages hold what else was said of them. */
  settled(conversation: ImportedConversation): ImportedConversation {
    if (this.#rests.size === 0) return conversation;
    const messages = conversation.messages.map((message): ImportedMessage => {
      const rests = this.#rests.get(message);
      if (!rests) return message;
      const added = rests.map((value) => ({ type: 'data' as const, kind: 'rest', value }));
      return { ...message, parts: [...message.parts, ...added] };
    });
    return { ...conversation, messages };
  }

  counts(): TextCounts {
    const leftOut = new Map<string, number>();
    let left = 0;
    for (const [path, count] of this.#leftOut) {
      const place = placeOf(path.split('\0'));
      leftOut.set(place, (leftOut.get(place) ?? 0) + count);
      left += count;
    }
    return { total: this.#total, kept: this.#total - left, leftOut };
  }
}

/** Keys that are ids, as those of a map of messages, are one place. */
function placeOf(path: readonly string[]): string {
  return path.map((step) => (/^[0-9a-f-]{8,}$|^\d+$|^\S{20,}$/i.test(step) ? '*' : step)).join('.');
}

interface Sums {
  total: number;
  kept: number;
  readonly leftOut: Map<string, number>;
}

/** Sums up the counts of texts for each file of an import. */
export class TextLedger {
  readonly #files = new Map<string, Sums>();

  /** Adds the counts of an entry. */
  add(entry: string, { total, kept, leftOut }: TextCounts): void {
    const name = fileOf(entry);
    const sums = this.#files.get(name) ?? { total: 0, kept: 0, leftOut: new Map<string, number>() };
    this.#files.set(name, sums);
    sums.total += total;
    sums.kept += kept;
    for (const [place, count] of leftOut) {
      sums.leftOut.set(place, (sums.leftOut.get(place) ?? 0) + count);
    }
  }

  /** Adds an entry that is omitted as a whole. */
  leave({ name, value }: SourceEntry): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries are parsed JSON
    if (value !== undefined) this.add(name, countLeftOut(value as JsonValue));
  }

  files(): ImportedTexts[] {
    return [...this.#files].map(([file, { total, kept, leftOut }]) => {
      const places = [...leftOut].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { file, total, kept, leftOut: Object.fromEntries(places) };
    });
  }
}

/** Returns the file of an entry such as `conversations.json, entry 3`. */
function fileOf(entry: string): string {
  return entry.replace(/, (?:entry|line) \d+$/, '');
}
