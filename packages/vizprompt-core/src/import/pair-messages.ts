import { omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import { UNKNOWN_TIME, uuidFromName } from '../format/ids-and-times.ts';
import type { NodePart, NodeStatus, PartOrigin, VizNode } from '../node/node.ts';
import type { ImportedConversation, ImportedMessage, MessagePart } from './conversation.ts';

/** A node to be: a user's message, and one run of answers after it. */
export interface MessagePair {
  /** Distinguishes it from all others: the same whenever the conversation is exported again. */
  readonly key: readonly string[];
  /** Messages that set the scene before a first prompt. */
  readonly context: readonly ImportedMessage[];
  /** Absent for an answer without a question. */
  readonly prompt?: ImportedMessage;
  readonly answers: readonly ImportedMessage[];
  /** The pair that it continues from. */
  readonly parent?: MessagePair;
  /** The other pairs that it continues from, where branches were merged. */
  readonly alsoAfter?: readonly MessagePair[];
}

/** The pairs of a conversation, each after its parent. */
export interface PairedConversation {
  readonly pairs: readonly MessagePair[];
  /** The pair that the conversation continues from. */
  readonly head?: MessagePair;
}

/** A message that begins pairs. */
interface Start {
  readonly message: ImportedMessage;
  readonly context: readonly ImportedMessage[];
  readonly parent?: MessagePair;
}

/**
 * Makes pairs of the messages of a conversation, along the parents and never by time. A pair is one
 * user message and a run of other messages down one path; the run ends where a user continues from it,
 * or where none does. Where answers fork, or a user continues from the middle of a run, several
 * pairs share their first messages.
 */
export function pairMessages({ messages, head }: ImportedConversation): PairedConversation {
  const tree = new MessageTree(messages);
  const pairs: MessagePair[] = [];
  const open: Start[] = tree.roots.map((message) => ({ message, context: [] })).toReversed();
  for (let start = open.pop(); start; start = open.pop()) {
    const { message, context, parent } = start;
    const isScene = message.role === 'system' && !parent;
    const children = tree.childrenOf(message);
    if (isScene && children.length > 0) {
      const scene = [...context, message];
      open.push(...children.map((child) => ({ message: child, context: scene })).toReversed());
      continue;
    }
    const found = pairsFrom(start, tree);
    pairs.push(...found);
    const next = found.flatMap((pair) =>
      tree.startsAfter(pair.answers.at(-1) ?? message).map((other) => ({ ...other, parent: pair })),
    );
    open.push(...next.toReversed());
  }
  const last =
    pairs.findLast((pair) => lastOf(pair)?.id === head) ??
    pairs.findLast((pair) => head !== undefined && holds(pair, head)) ??
    pairs.at(-1);
  return { pairs: withMerges(pairs), ...(last ? { head: last } : {}) };
}

/** Ties merges to the branches that end in them. */
function withMerges(pairs: readonly MessagePair[]): readonly MessagePair[] {
  if (!pairs.some(({ prompt }) => prompt?.alsoAfter)) return pairs;
  const byEnd = new Map(pairs.map((pair) => [lastOf(pair)?.id, pair]));
  return pairs.map((pair) => {
    const others = (pair.prompt?.alsoAfter ?? []).flatMap((id) => byEnd.get(id) ?? []);
    return others.length > 0 ? { ...pair, alsoAfter: others } : pair;
  });
}

function pairsFrom({ message, context, parent }: Start, tree: MessageTree): MessagePair[] {
  const isPrompt = message.role === 'user';
  const runs = isPrompt ? tree.runsAfter(message) : tree.runsFrom([message]);
  const used = new Set<string>();
  return runs.map((answers, at) => {
    const fork = answers.find(({ id }) => !used.has(id));
    for (const { id } of answers) used.add(id);
    return {
      key: at === 0 || !fork ? [message.id] : [message.id, fork.id],
      context,
      ...(isPrompt ? { prompt: message } : {}),
      answers,
      ...(parent ? { parent } : {}),
    };
  });
}

/** Returns the message that a pair ends with. */
export function lastOf({ prompt, answers }: MessagePair): ImportedMessage | undefined {
  return answers.at(-1) ?? prompt;
}

function holds({ prompt, answers }: MessagePair, id: string): boolean {
  return prompt?.id === id || answers.some((answer) => answer.id === id);
}

/** A path of messages, the last one first. */
interface Path {
  readonly message: ImportedMessage;
  readonly before?: Path;
}

/** The messages of a conversation with their children. */
class MessageTree {
  readonly roots: readonly ImportedMessage[];
  readonly #children = new Map<string, ImportedMessage[]>();
  /** System messages that only users continue from: they set the scene for those. */
  readonly #scenes: ReadonlySet<ImportedMessage>;

  constructor(messages: readonly ImportedMessage[]) {
    const ids = new Set(messages.map(({ id }) => id));
    const roots: ImportedMessage[] = [];
    for (const message of messages) {
      const { parent } = message;
      if (parent === undefined || !ids.has(parent)) roots.push(message);
      else this.#add(parent, message);
    }
    this.roots = [...roots, ...this.#openCircles(roots, messages)];
    this.#scenes = this.#findScenes();
  }

  #findScenes(): ReadonlySet<ImportedMessage> {
    const order: ImportedMessage[] = [];
    const open = [...this.roots];
    for (let message = open.pop(); message; message = open.pop()) {
      order.push(message);
      open.push(...this.childrenOf(message));
    }
    const scenes = new Set<ImportedMessage>();
    for (const message of order.toReversed()) {
      const children = this.childrenOf(message);
      const leadsOn = children.every((child) => child.role === 'user' || scenes.has(child));
      if (message.role === 'system' && children.length > 0 && leadsOn) scenes.add(message);
    }
    return scenes;
  }

  #add(parent: string, message: ImportedMessage): void {
    const siblings = this.#children.get(parent);
    if (siblings) siblings.push(message);
    else this.#children.set(parent, [message]);
  }

  /** Messages that only go round in circles: each circle is opened at its first message. */
  #openCircles(
    roots: readonly ImportedMessage[],
    all: readonly ImportedMessage[],
  ): ImportedMessage[] {
    const reached = new Set<string>();
    const reach = (start: readonly ImportedMessage[]): void => {
      const open = [...start];
      for (let message = open.pop(); message; message = open.pop()) {
        if (reached.has(message.id)) continue;
        reached.add(message.id);
        open.push(...this.childrenOf(message));
      }
    };
    reach(roots);
    return all.filter((message) => {
      if (reached.has(message.id)) return false;
      reach([message]);
      const siblings = this.#children.get(message.parent ?? '') ?? [];
      this.#children.set(
        message.parent ?? '',
        siblings.filter((other) => other !== message),
      );
      return true;
    });
  }

  childrenOf({ id }: ImportedMessage): readonly ImportedMessage[] {
    return this.#children.get(id) ?? [];
  }

  /** Where users continue from a message, each with what sets the scene for it. */
  startsAfter(message: ImportedMessage): Start[] {
    const starts: Start[] = [];
    const open = [{ above: message, context: [] as readonly ImportedMessage[] }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { above, context } = next;
      for (const child of this.childrenOf(above)) {
        if (child.role === 'user') starts.push({ message: child, context });
        else if (this.#scenes.has(child)) open.push({ above: child, context: [...context, child] });
      }
    }
    return starts;
  }

  #isPrompt(message: ImportedMessage): boolean {
    return message.role === 'user' || this.#scenes.has(message);
  }

  #answersTo(message: ImportedMessage): readonly ImportedMessage[] {
    return this.childrenOf(message).filter((child) => !this.#isPrompt(child));
  }

  /** Checks whether a run ends with a message: a user continues from it, or none does. */
  #endsRun(message: ImportedMessage): boolean {
    const children = this.childrenOf(message);
    return children.length === 0 || children.some((child) => this.#isPrompt(child));
  }

  /** Returns the runs of answers to a prompt, an empty one where it can be without an answer. */
  runsAfter(prompt: ImportedMessage): ImportedMessage[][] {
    const runs = this.runsFrom(this.#answersTo(prompt));
    return this.#endsRun(prompt) ? [[], ...runs] : runs;
  }

  /** Returns the runs that begin with one of these messages, each before those that continue from it. */
  runsFrom(starts: readonly ImportedMessage[]): ImportedMessage[][] {
    const runs: ImportedMessage[][] = [];
    const open: Path[] = starts.map((message) => ({ message })).toReversed();
    for (let path = open.pop(); path; path = open.pop()) {
      const { message } = path;
      if (this.#endsRun(message)) runs.push(unroll(path));
      const before = path;
      open.push(
        ...this.#answersTo(message)
          .map((next) => ({ message: next, before }))
          .toReversed(),
      );
    }
    return runs;
  }
}

function unroll(path: Path): ImportedMessage[] {
  const messages: ImportedMessage[] = [];
  for (let at: Path | undefined = path; at; at = at.before) messages.push(at.message);
  return messages.toReversed();
}

/** Returns the id of the node of a pair: always the same for the same messages. */
export function nodeIdOf(conversation: ImportedConversation, { key }: MessagePair): string {
  return uuidFromName('node', conversation.format, conversation.id, ...key);
}

/** Returns the id of the flow of a conversation: always the same. */
export function flowIdOf({ format, id }: Pick<ImportedConversation, 'format' | 'id'>): string {
  return uuidFromName('flow', format, id);
}

/** Returns the node of a pair, with everything that its messages hold. */
export function nodeFromPair(conversation: ImportedConversation, pair: MessagePair): VizNode {
  const { context, prompt, answers } = pair;
  const asked = sideOf('user', prompt ? [...context, prompt] : context);
  const answered = sideOf('assistant', answers);
  const { tags = [], summary = { text: '', isOutdated: true } } = lastOf(pair)?.notes ?? {};
  const times = [prompt, ...answers].map((message) => message?.time);
  return {
    id: nodeIdOf(conversation, pair),
    timestamp: times.find(Boolean) ?? conversation.created ?? conversation.updated ?? UNKNOWN_TIME,
    prompt: asked.text,
    response: answered.text,
    ...defined({ model: answers.findLast(({ model }) => model)?.model }),
    stats: {},
    summary,
    tags,
    ...defined({ status: statusOf(answers.at(-1)) }),
    source: [conversation.format, conversation.id, ...pair.key].join(':'),
    promptParts: asked.parts,
    responseParts: answered.parts,
  };
}

function statusOf(last: ImportedMessage | undefined): NodeStatus | undefined {
  if (last?.hasFailed) return 'failed';
  return last?.isAborted ? 'aborted' : undefined;
}

interface Side {
  readonly text: string;
  readonly parts: readonly NodePart[];
}

/** Between the texts of two messages, or of two pieces of one. */
const SEPARATOR = '\n\n';

/** One side of a node: the text of those who speak there, and the parts of all messages. */
function sideOf(speaker: Role, messages: readonly ImportedMessage[]): Side {
  let text = '';
  const parts: NodePart[] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      const origin = originOf(message, speaker, part);
      if (part.type !== 'text') parts.push({ ...part, ...origin });
      else if (message.role !== speaker) {
        parts.push({ type: 'data', kind: 'text', value: part.text, ...origin });
      } else {
        if (text !== '' && part.text !== '') text += SEPARATOR;
        const start = text.length;
        text += part.text;
        parts.push({ type: 'text', start, end: text.length, ...origin });
      }
    }
  }
  return { text, parts };
}

function originOf(message: ImportedMessage, speaker: Role, part: MessagePart): PartOrigin {
  return defined({
    role: message.role === speaker ? undefined : message.role,
    name: message.name,
    source: message.id,
    time: message.time,
    meta: part.meta,
  });
}

/** Returns the ids of the messages that a node is made of. */
export function sourcesOf(node: VizNode): readonly string[] {
  const parts = [...node.promptParts, ...node.responseParts];
  return [...new Set(parts.flatMap(({ source }) => (source === undefined ? [] : [source])))];
}
