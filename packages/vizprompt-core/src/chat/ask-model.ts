import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  LLMError,
  type Message,
  type Part,
  textMessage,
  type ToolCallPart,
} from '@vizprompt/providers';
import type { Language } from '../build/language.ts';
import type { StoredNode } from '../node/node.ts';
import type { AnswerRecord } from './answer-record.ts';
import type { ChatTurnEvent } from './chat-options.ts';
import { DetailAllowance } from './detail-allowance.ts';
import {
  askingRule,
  detailText,
  requestedByCall,
  requestedInText,
  SHOW_NODE,
} from './detail-requests.ts';

/** What is asked, and how. */
export interface Question {
  readonly model: ChatModel;
  readonly messages: readonly Message[];
  readonly request: Omit<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'signal'>;
  readonly signal: AbortSignal;
  readonly language: Language;
  /** How often the model may ask for nodes in full. */
  readonly maxDetails: number;
  /** How many tokens the nodes that it asks for may have, all together. */
  readonly maxDetailTokens: number;
  /** Whether the messages tell the model already how to ask in words. */
  readonly isTold: boolean;
  /** A node by its number in the context or its id; `undefined` if there is none. */
  findNode(name: string): Promise<StoredNode | undefined>;
}

/**
 * Asks a model, and gives it the nodes that it asks for, until it has answered: by a tool where the model
 * has tools, in words otherwise.
 */
export async function* askModel(
  question: Question,
  record: AnswerRecord,
): AsyncGenerator<ChatTurnEvent> {
  const { model, maxDetails } = question;
  let hasTools = maxDetails > 0 && model.capabilities.tools === true;
  const allowance = new DetailAllowance(question.maxDetailTokens, question.language);
  let said: Message[] = [];
  for (let details = 0; ; details++) {
    const mayAsk = details < maxDetails;
    try {
      yield* call(question, said, mayAsk && hasTools, mayAsk && !hasTools, record);
    } catch (error) {
      const isRefused = LLMError.isInstance(error) && error.code === 'unsupported';
      if (!isRefused || !hasTools || error.outputStarted) throw error;
      // The model turned out to have no tools.
      hasTools = false;
      continue;
    }
    const { parts, text } = record.result;
    const calls = parts.filter((part) => part.type === 'tool-call');
    const written = hasTools || !mayAsk ? [] : requestedInText(text);
    const ids = calls.length > 0 ? calls.map(requestedByCall) : written;
    // Without tools, some models go on calling them.
    if (ids.length === 0 || !mayAsk) return;
    yield { type: 'detail', ids };
    const given = await answerRequests(question, ids, calls, allowance);
    record.next(given.parts);
    said = [...said, { role: 'assistant', parts }, given.message];
  }
}

async function* call(
  { model, messages, request, signal, language, isTold }: Question,
  said: readonly Message[],
  withTool: boolean,
  withRule: boolean,
  record: AnswerRecord,
): AsyncGenerator<ChatTurnEvent> {
  const rule = withRule && !isTold ? [textMessage('system', askingRule(language))] : [];
  const spoken = messages.findIndex(({ role }) => role !== 'system');
  const stream = model.stream({
    ...request,
    messages: [...messages.slice(0, spoken), ...rule, ...messages.slice(spoken), ...said],
    ...(withTool ? { tools: [SHOW_NODE] } : {}),
    signal,
  });
  for await (const event of stream) {
    record.add(event);
    const shown = shownOf(event);
    if (shown) yield shown;
  }
  if (!record.isFinished) {
    throw new LLMError('truncated', 'the stream ended without a finish event', {
      outputStarted: record.result.parts.length > 0,
    });
  }
}

function shownOf(event: ChatEvent): ChatTurnEvent | undefined {
  if (event.type === 'text-delta') return { type: 'text', text: event.text };
  return event.type === 'reasoning-delta' ? { type: 'reasoning', text: event.text } : undefined;
}

async function answerRequests(
  { language, findNode }: Question,
  ids: readonly string[],
  calls: readonly ToolCallPart[],
  allowance: DetailAllowance,
): Promise<{ readonly parts: readonly Part[]; readonly message: Message }> {
  const whole = await Promise.all(
    ids.map(async (id) => detailText(language, id, await findNode(id))),
  );
  const texts = allowance.cut(whole);
  if (calls.length === 0) {
    const message = textMessage('user', texts.join('\n\n'));
    const parts = ids.map((id, at): Part => {
      return { type: 'tool-result', id, name: SHOW_NODE.name, output: texts[at] ?? '' };
    });
    return { parts, message };
  }
  const parts = calls.map(({ id, name }, at): Part => {
    const isKnown = name === SHOW_NODE.name;
    const output = isKnown ? (texts[at] ?? '') : `there is no tool '${name}'`;
    return { type: 'tool-result', id, name, output, ...(isKnown ? {} : { isError: true }) };
  });
  return { parts, message: { role: 'tool', parts } };
}
