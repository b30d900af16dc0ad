import {
  type ChatEvent,
  type ChatModel,
  type ChatRequest,
  createTokenEstimator,
  LLMError,
  type Message,
  type Part,
  textMessage,
  type Tool,
  type ToolCallPart,
} from '@vizprompt/providers';
import { type Language, cutMiddle } from '@vizprompt/providers/internal';
import { shareOut } from '../context/price.ts';
import { PHRASES } from '../context/write-context.ts';
import type { StoredNode } from '../node/node.ts';
import type { AnswerRecord } from './answer-record.ts';
import type { ChatTurnEvent } from './chat-turn.ts';
import { requestedInText } from './detail-requests.ts';

/** The question to a model, and its limits. */
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
  /** True if the messages instruct the model already how to ask in words. */
  readonly isTold: boolean;
  /** Returns a node by its number in the context or its id; `undefined` if there is none. */
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
    // Without tools, some models continue calling them.
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

/** The tool by which a model asks for a node in full. */
const SHOW_NODE: Tool = {
  name: 'show_node',
  description:
    'Gives the full prompt and response of a node of this conversation that is in the context as a summary only.',
  parameters: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'its number in the context, such as 12, or its id' },
    },
    required: ['id'],
    additionalProperties: false,
  },
};

/** Returns the node that a call of {@link SHOW_NODE} asks for. */
function requestedByCall({ input }: ToolCallPart): string {
  const isObject = typeof input === 'object' && input !== null && 'id' in input;
  const id = isObject ? input['id'] : input;
  return typeof id === 'string' || typeof id === 'number'
    ? String(id).replaceAll(/[[\]\s]/g, '')
    : '';
}

/** Returns the rule by which a model without tools requests nodes. */
function askingRule(language: Language): string {
  return language === 'ja'
    ? '詳細情報が必要な場合は「[番号]の詳細を知りたい」と指示できます。'
    : 'If you need the details of a turn, say "show me [number]".';
}

/** Returns the answer to a request: the node in full, or that there is none. */
function detailText(
  language: Language,
  id: string,
  node: { readonly prompt: string; readonly response: string } | undefined,
): string {
  if (language === 'ja') {
    return node
      ? `[${id}] の全文:\n\n[プロンプト]\n${node.prompt}\n\n[回答]\n${node.response}`
      : `[${id}] というノードはありません。`;
  }
  return node
    ? `[${id}] in full:\n\n[Prompt]\n${node.prompt}\n\n[Response]\n${node.response}`
    : `There is no node [${id}].`;
}

/** Keeps what a model is given on request within its tokens, over all its requests. */
class DetailAllowance {
  readonly #estimator = createTokenEstimator();
  readonly #language: Language;
  #left: number;

  constructor(tokens: number, language: Language) {
    this.#left = tokens;
    this.#language = language;
  }

  /** Returns the texts, with a mark in the middle of those that are too long. */
  cut(texts: readonly string[]): string[] {
    const shares = shareOut(
      texts.map((text) => this.#count(text)),
      this.#left,
    );
    const cut = texts.map((text, at) => this.#cutTo(text, shares[at] ?? 0));
    this.#left -= cut.reduce((sum, text) => sum + this.#count(text), 0);
    return cut;
  }

  #cutTo(text: string, tokens: number): string {
    return cutMiddle(
      text,
      (shorter) => this.#count(shorter) <= tokens,
      (characters) => PHRASES[this.#language].cut(characters),
    );
  }

  /** With what parts it from the next. */
  #count(text: string): number {
    return this.#estimator.count(`${text}\n\n`).tokens;
  }
}
