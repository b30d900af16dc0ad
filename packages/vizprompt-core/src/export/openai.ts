import type { JsonValue } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { MessagePart } from '../import/conversation.ts';
import type { StoredNode } from '../node/node.ts';
import type { FlowView } from './flow-view.ts';
import { messagesOf, type NodeMessage } from './node-messages.ts';

/**
 * One line of a flow as messages of OpenAI's Chat Completions: from a root to a leaf along the main
 * parents. Parts that that form cannot hold, such as data of unknown kinds, are left out.
 *
 * @param leaf - The id of the node that the line ends with. Default: the head.
 * @throws VizPromptError with the code `node-not-found` if it is not in the flow.
 */
export function toOpenAi(
  { flow, graph }: FlowView,
  nodes: ReadonlyMap<string, StoredNode>,
  leaf: string | undefined = flow.head,
): string {
  if (leaf !== undefined && !graph.has(leaf)) {
    throw new VizPromptError('node-not-found', `the flow '${flow.name}' has no node ${leaf}`, {
      context: { flow: flow.id, node: leaf },
    });
  }
  const messages = (leaf === undefined ? [] : graph.lineTo(leaf)).flatMap((id) => {
    const node = nodes.get(id);
    if (!node) return [];
    const { context, prompt, answers } = messagesOf(node);
    return [...context, ...(prompt ? [prompt] : []), ...answers].flatMap(toMessages);
  });
  return `${JSON.stringify(joinAnswers(messages), null, 2)}\n`;
}

interface OpenAiMessage {
  readonly role: string;
  readonly content: JsonValue;
  readonly name?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** Each part as a message of its own; those of one answer are joined after. */
function toMessages(message: NodeMessage): OpenAiMessage[] {
  const { role, parts } = message;
  if (role === 'assistant') return parts.flatMap((part) => toAnswer(part));
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? toAnswer(part) : []));
  // Between a call and its result, nothing is allowed: files of a tool are left out.
  const content = contentOf(role === 'tool' ? parts.filter(({ type }) => type !== 'file') : parts);
  // A tool without a call is not allowed: its result sets the scene.
  const speaker = role === 'tool' ? 'system' : role;
  return [...(content === '' && role !== 'user' ? [] : [{ role: speaker, content }]), ...results];
}

function toAnswer(part: MessagePart): OpenAiMessage[] {
  const role = 'assistant';
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role, content: part.text }];
    case 'reasoning':
      return [{ role, content: null, reasoning_content: part.text }];
    case 'tool-call': {
      const { id, tool: name, input } = part;
      const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      return [{ role, content: null, tool_calls: [call] }];
    }
    case 'tool-result':
      return [{ role: 'tool', tool_call_id: part.id, content: resultOf(part.output) }];
    default:
      return [];
  }
}

function resultOf(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Thoughts, text and calls are one message, in this order, as far as it goes. */
function joinAnswers(messages: readonly OpenAiMessage[]): OpenAiMessage[] {
  const joined: OpenAiMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== 'assistant' || message.role !== 'assistant') joined.push(message);
    else if (rank(last) > rank(message) || (rank(last) === 1 && rank(message) === 1)) {
      joined.push(message);
    } else joined[joined.length - 1] = join(last, message);
  }
  return joined;
}

/** Returns which of thoughts (0), text (1) and calls (2) comes last in a message. */
function rank({ content, tool_calls: calls }: OpenAiMessage): number {
  if (calls) return 2;
  return content === null ? 0 : 1;
}

function join(a: OpenAiMessage, b: OpenAiMessage): OpenAiMessage {
  const thoughts = [a.reasoning_content, b.reasoning_content].filter((text) => text !== undefined);
  const calls = [...(a.tool_calls ?? []), ...(b.tool_calls ?? [])];
  return {
    role: a.role,
    content: b.content ?? a.content,
    ...(thoughts.length > 0 ? { reasoning_content: thoughts.join('\n') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Returns a text alone, or a list of texts and pictures. */
function contentOf(parts: readonly MessagePart[]): JsonValue {
  const pieces = parts.flatMap((part): JsonValue[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const uri = part.type === 'file' ? part.uri : undefined;
    const isShown = uri !== undefined && /^(?:https?|data):/.test(uri);
    return isShown ? [{ type: 'image_url', image_url: { url: uri } }] : [];
  });
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (pieces.length === texts.length && texts.length <= 1) return texts[0] ?? '';
  return pieces;
}
