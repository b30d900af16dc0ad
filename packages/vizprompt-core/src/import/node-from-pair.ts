import { defined, type Role } from '@vizprompt/providers';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { NodePart, NodeStatus, PartOrigin, VizNode } from '../node/node.ts';
import type { ImportedConversation, ImportedMessage, MessagePart } from './conversation.ts';
import { lastOf, type MessagePair } from './pair-messages.ts';

/** The id of the node of a pair: always the same for the same messages. */
export function nodeIdOf(conversation: ImportedConversation, { key }: MessagePair): string {
  return uuidFromName('node', conversation.format, conversation.id, ...key);
}

/** The id of the flow of a conversation: always the same. */
export function flowIdOf({ format, id }: Pick<ImportedConversation, 'format' | 'id'>): string {
  return uuidFromName('flow', format, id);
}

/** The time of conversations that tell none. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000000Z';

/** The node of a pair, with everything that its messages hold. */
export function nodeFromPair(conversation: ImportedConversation, pair: MessagePair): VizNode {
  const { context, prompt, answers } = pair;
  const asked = sideOf('user', prompt ? [...context, prompt] : context);
  const answered = sideOf('assistant', answers);
  const { tags = [], summary = { text: '', isOutdated: true } } = lastOf(pair)?.notes ?? {};
  const times = [prompt, ...answers].map((message) => message?.time);
  return {
    id: nodeIdOf(conversation, pair),
    timestamp: times.find(Boolean) ?? conversation.created ?? UNKNOWN_TIME,
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

/** The ids of the messages that a node is made of. */
export function sourcesOf(node: VizNode): readonly string[] {
  const parts = [...node.promptParts, ...node.responseParts];
  return [...new Set(parts.flatMap(({ source }) => (source === undefined ? [] : [source])))];
}
