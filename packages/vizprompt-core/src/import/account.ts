import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, parseJson } from '@vizprompt/providers/internal';
import type { ImportedConversation, ImportedMessage } from './conversation.ts';
import { squash } from './fields.ts';

/** What became of the texts of an entry: those that were kept and those that were left out are all. */
export interface TextCounts {
  readonly total: number;
  readonly kept: number;
  /** How many were left out, by their places, such as `mapping.*.message.status`. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** The counts of texts that were all left out. */
export function countLeftOut(value: JsonValue): TextCounts {
  const account = new Account([]);
  account.walk(value, [], undefined);
  account.leaveOut(value, []);
  return account.counts();
}

/**
 * Compares an entry of a source with what was read from it, so that no text is lost without a word: what no
 * reader has understood is added to its message as `data`, or else to the first one.
 *
 * @param rest - What becomes of texts that belong to no message. `leave`: they are only counted by their places.
 */
export function accountFor(
  entry: JsonValue,
  conversations: readonly ImportedConversation[],
  rest: 'keep' | 'leave',
): { readonly conversations: readonly ImportedConversation[]; readonly texts: TextCounts } {
  const account = new Account(conversations);
  const lost = account.walk(entry, [], undefined);
  const home = rest === 'keep' ? conversations[0]?.messages[0] : undefined;
  if (lost !== undefined && home) account.keep(home, lost);
  else if (lost !== undefined) account.leaveOut(lost, []);
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

/** A word without white space, as ids and names of kinds are. */
function isWord(text: string): boolean {
  return text.length <= 200 && !/\s/.test(text);
}

class Account {
  readonly #kept = new Set<string>();
  readonly #byRaw = new Map<JsonValue, ImportedMessage>();
  readonly #rests = new Map<ImportedMessage, JsonValue[]>();
  readonly #said = new Map<ImportedMessage, string>();
  readonly #leftOut = new Map<string, number>();
  #total = 0;

  constructor(conversations: readonly ImportedConversation[]) {
    for (const { title, messages } of conversations) {
      this.#kept.add(title);
      for (const message of messages) this.#take(message);
    }
  }

  #take(message: ImportedMessage): void {
    const { raw, notes, rewritten = [], id, parent, role, ...said } = message;
    if (raw !== undefined && !this.#byRaw.has(raw)) this.#byRaw.set(raw, message);
    for (const text of rewritten) this.#kept.add(text);
    this.#takeAll(said);
    if (notes) this.#takeAll({ ...notes, branches: [...notes.branches] });
    void [id, parent, role];
  }

  #takeAll(value: unknown): void {
    if (typeof value === 'string') this.#kept.add(value);
    else if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) this.#takeAll(each);
    }
  }

  /** Counts the texts of a value, and returns what of it was lost. */
  walk(
    value: JsonValue,
    path: readonly string[],
    owner: ImportedMessage | undefined,
  ): JsonValue | undefined {
    if (typeof value === 'string') return this.#judge(value, path, owner) ? undefined : value;
    if (typeof value !== 'object' || value === null) return undefined;
    const own = this.#byRaw.get(value);
    if (own && own !== owner) {
      const lost = this.walk(value, path, own);
      if (lost !== undefined) this.keep(own, lost);
      return undefined;
    }
    if (Array.isArray(value)) {
      const lost = value.flatMap((each: JsonValue) => this.walk(each, [...path, '*'], owner) ?? []);
      return lost.length > 0 ? lost : undefined;
    }
    return isJsonObject(value) ? this.#walkObject(value, path, owner) : undefined;
  }

  #walkObject(
    value: JsonObject,
    path: readonly string[],
    owner: ImportedMessage | undefined,
  ): JsonValue | undefined {
    const lost: { [key: string]: JsonValue } = {};
    let isLost = false;
    for (const [key, each] of Object.entries(value)) {
      const rest = this.walk(each, [...path, this.#isMember(each) ? '*' : key], owner);
      if (rest === undefined) continue;
      isLost = true;
      Object.defineProperty(lost, key, { value: rest, enumerable: true, configurable: true });
    }
    if (!isLost) return undefined;
    // Numbers beside a lost text, such as where a citation begins, belong to it.
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'number' || typeof each === 'boolean') {
        Object.defineProperty(lost, key, { value: each, enumerable: true, configurable: true });
      }
    }
    return lost;
  }

  /** Whether a value is a message, or what wraps one: its key is an id. */
  #isMember(value: JsonValue): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return this.#byRaw.has(value) || Object.values(value).some((each) => this.#byRaw.has(each));
  }

  /** Whether a text is kept, or says nothing that could be lost. */
  #judge(text: string, path: readonly string[], owner: ImportedMessage | undefined): boolean {
    if (text.trim() === '') return true;
    const key = path.findLast((step) => step !== '*') ?? '';
    if ((ID.test(key) || TIME.test(key)) && isWord(text)) return true;
    this.#total++;
    if (this.#isKept(text, owner)) return true;
    if (!STRUCTURE.has(squash(key)) || !isWord(text)) return false;
    this.#count(path);
    return true;
  }

  #isKept(text: string, owner: ImportedMessage | undefined): boolean {
    if (this.#kept.has(text) || this.#kept.has(text.trim())) return true;
    if (/^\s*[[{"]/.test(text)) {
      const parsed = parseJson(text);
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

  #count(path: readonly string[]): void {
    const place = placeOf(path);
    this.#leftOut.set(place, (this.#leftOut.get(place) ?? 0) + 1);
  }

  /** Adds what was lost to a message. */
  keep(message: ImportedMessage, lost: JsonValue): void {
    const rests = this.#rests.get(message);
    if (rests) rests.push(lost);
    else this.#rests.set(message, [lost]);
  }

  /** Counts what was lost as left out. */
  leaveOut(lost: JsonValue, path: readonly string[]): void {
    if (typeof lost === 'string') {
      const key = path.findLast((step) => step !== '*') ?? '';
      const isCounted = lost.trim() !== '' && !((ID.test(key) || TIME.test(key)) && isWord(lost));
      if (isCounted && !(STRUCTURE.has(squash(key)) && isWord(lost))) this.#count(path);
    } else if (Array.isArray(lost)) {
      for (const each of lost) this.leaveOut(each as JsonValue, [...path, '*']);
    } else if (isJsonObject(lost)) {
      for (const [key, each] of Object.entries(lost)) this.leaveOut(each, [...path, key]);
    }
  }

  /** A conversation whose messages hold what else was said of them. */
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
    const left = [...this.#leftOut.values()].reduce((sum, count) => sum + count, 0);
    return { total: this.#total, kept: this.#total - left, leftOut: this.#leftOut };
  }
}

/** Keys that are ids, as those of a map of messages, are one place. */
function placeOf(path: readonly string[]): string {
  return path.map((step) => (/^[0-9a-f-]{8,}$|^\d+$|^\S{20,}$/i.test(step) ? '*' : step)).join('.');
}
