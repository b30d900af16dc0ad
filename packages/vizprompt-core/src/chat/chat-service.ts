import { type ChatModel, LLMError, type Message, textMessage } from '@vizprompt/providers';
import { guessLanguage, Mutex, omitUndefined as defined } from '@vizprompt/providers/internal';
import type { BuiltContext } from '../context/context-options.ts';
import { VizPromptError } from '../errors.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import { type Flow, MAIN_FLOW } from '../flow/flow.ts';
import { type FlowFiles, flowOfNode } from '../graph/flow-files.ts';
import type { FlowService } from '../graph/flow-service.ts';
import type { NodeService } from '../graph/node-service.ts';
import { withFiles } from '../node/chat-parts.ts';
import { askersOf, type NodePatch } from '../node/edit-node.ts';
import type { NodeDataPart, NodePart, StoredNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import {
  addStats,
  AnswerRecord,
  type AskOptions,
  type ChatOptions,
  ChatTurn,
  type ChatTurnEvent,
  leftEarly,
} from './chat-turn.ts';

/** The parts of a project that chatting needs. */
export interface ChatParts {
  readonly project: Project;
  readonly files: FlowFiles;
  readonly nodes: NodeService;
  readonly flows: FlowService;
  /** The model of the project, if it has one. */
  readonly model: () => ChatModel | undefined;
}

/** Asks models and keeps what they answer: the prompt before the answer begins, the answer when it ends. */
export class ChatService {
  readonly #parts: ChatParts;
  readonly #queue = new PromptQueue();
  readonly #arrivals = new Mutex();

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  chat(options: ChatOptions): ChatTurn {
    return new ChatTurn(options.queue === true ? this.#askInTurn(options) : this.#ask(options));
  }

  /** Returns a sibling of a node, with the same prompt or another. */
  regenerate(id: string, prompt: string | undefined, options: AskOptions): ChatTurn {
    return new ChatTurn(this.#regenerate(id, prompt, options));
  }

  /** Returns the rest of an answer that was cut off, joined to what is there. */
  continue(id: string, options: AskOptions): ChatTurn {
    return new ChatTurn(this.#continueAnswer(id, options));
  }

  async *#regenerate(
    id: string,
    prompt: string | undefined,
    options: AskOptions,
  ): AsyncGenerator<ChatTurnEvent> {
    const { nodes, project } = this.#parts;
    const node = await nodes.get(id);
    const flow = options.flow ?? (await flowOfNode(project, id));
    const parents = await this.#parentsOf(flow, id);
    const files = node.promptParts.filter(({ type }) => type === 'file');
    const { instructions = instructionsIn(node.promptParts) } = options;
    const [speaker] = askersOf(node);
    yield* this.#ask(
      {
        ...options,
        instructions,
        speaker,
        flow,
        prompt: prompt ?? node.prompt,
        from: parents.length > 0 ? parents : null,
      },
      files,
    );
  }

  /** Asks when the prompts that came before in the flow are answered, or have failed. */
  async *#askInTurn(options: ChatOptions): AsyncGenerator<ChatTurnEvent> {
    // One after the other, so that no prompt overtakes another one while its flow is looked up.
    const { turn } = await this.#arrivals.run(async () => {
      const entered = this.#queue.enter(await this.#lineOf(options), options.signal);
      // Its failure is that of the prompt, which waits for it next.
      entered.catch(() => undefined);
      return { turn: entered };
    });
    const leave = await turn;
    try {
      yield* this.#ask(options);
    } finally {
      leave();
    }
  }

  /** Returns the name of the queue in which a prompt waits. */
  async #lineOf({ flow: given, from }: ChatOptions): Promise<string> {
    const name = given ?? (await flowOfNode(this.#parts.project, firstOf(from)));
    const flow = await this.#flowIfMade(name);
    // The main flow may be created by a prompt that another one waits for.
    const isMain = name === MAIN_FLOW || flow?.alias === MAIN_FLOW;
    return isMain ? MAIN_FLOW : (flow?.id ?? name);
  }

  async *#ask(
    options: ChatOptions,
    files: readonly NodePart[] = [],
  ): AsyncGenerator<ChatTurnEvent> {
    const { nodes, project } = this.#parts;
    const { prompt, branchName, attachments = [], instructions = '', speaker } = options;
    const model = await prepared(this.#modelFor(options));
    const flow = options.flow ?? (await flowOfNode(project, firstOf(options.from)));
    const { from = (await this.#flowIfMade(flow))?.head ?? null } = options;
    const context = await this.#contextOf(options, flow, from, prompt, speaker);
    const told = instructions === '' ? [] : [instructionsPart(instructions)];
    const created = await nodes.create(
      {
        prompt,
        status: 'pending',
        model: model.modelId,
        attachments,
        promptParts: [...told, ...files],
        askedBy: speaker,
      },
      { flow, after: from, branchName },
    );
    const messages = (): Promise<readonly Message[]> =>
      withFiles(project.files, context.messages, created.promptParts);
    yield* this.#answer({ node: created, model, messages, context }, options, (patch) => patch);
  }

  async *#continueAnswer(id: string, options: AskOptions): AsyncGenerator<ChatTurnEvent> {
    const { nodes, project } = this.#parts;
    const node = await nodes.get(id);
    const model = await prepared(this.#modelFor(options));
    const flow = options.flow ?? (await flowOfNode(project, id));
    const parents = await this.#parentsOf(flow, id);
    const before = instructionsIn([...node.promptParts, ...node.responseParts]) ?? '';
    const { instructions = before } = options;
    const told = instructions === before ? [] : [instructionsPart(instructions)];
    const context = await this.#contextOf(
      { ...options, instructions },
      flow,
      parents,
      node.prompt,
      askersOf(node)[0],
    );
    const messages = async (): Promise<readonly Message[]> => {
      const asked = await withFiles(project.files, context.messages, node.promptParts);
      if (node.response === '') return asked;
      const more = guessLanguage(node.prompt) === 'ja' ? CONTINUE.ja : CONTINUE.en;
      return [...asked, textMessage('assistant', node.response), textMessage('user', more)];
    };
    await this.#moveHead(flow, id);
    yield* this.#answer({ node, model, messages, context }, options, (patch) =>
      joined(node, patch, told),
    );
  }

  async *#answer(
    { node, model, messages, context }: PreparedTurn,
    options: AskOptions,
    finish: (patch: NodePatch) => NodePatch,
  ): AsyncGenerator<ChatTurnEvent> {
    const { nodes, project } = this.#parts;
    const { maxDetails = 3, request = {} } = options;
    const closing = new AbortController();
    const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])]);
    const record = new AnswerRecord(context.report.tokens);
    const save = async (failure?: unknown): Promise<StoredNode> => {
      const patch = await record.patch(project.files, model.modelId, failure);
      return nodes.update(node.id, finish(patch));
    };
    let saved: Promise<StoredNode> | undefined;
    const saveOnce = (failure?: unknown): Promise<StoredNode> => (saved ??= save(failure));
    // The reader may be busy elsewhere, or gone: this does not wait for the next event to be asked for.
    const stop = (): Promise<StoredNode> => {
      closing.abort();
      return saveOnce(new LLMError('aborted', 'the project was closed before the answer ended'));
    };
    project.pendingOperations.add(stop);
    try {
      yield { type: 'asked', node, context };
      const { askModel } = await import('./context-and-answer.ts');
      yield* askModel(
        {
          model,
          messages: await messages(),
          request,
          signal,
          maxDetails,
          language: guessLanguage(node.prompt),
          isTold: isToldInWords(model, options),
          maxDetailTokens: context.report.budget,
          findNode: async (name) => {
            const id = idOf(context, name);
            return options.exclude?.includes(id) ? undefined : nodes.find(id);
          },
        },
        record,
      );
      const answered = await saveOnce();
      const { finishReason } = record.result;
      yield { type: 'answered', node: answered, finishReason, usage: record.usage };
    } catch (error) {
      const isStopped = signal.aborted && !LLMError.isInstance(error);
      await saveOnce(isStopped ? new LLMError('aborted', String(error)) : error);
      throw error;
    } finally {
      project.pendingOperations.delete(stop);
      if (!saved) await saveOnce(leftEarly());
    }
  }

  #modelFor({ model = this.#parts.model() }: AskOptions): ChatModel {
    if (model) return model;
    throw new VizPromptError(
      'invalid-input',
      `there is no model, and ${NOT_KEPT}: pass 'model', or open the project with a model or a registry`,
    );
  }

  async #contextOf(
    options: AskOptions,
    flow: string,
    from: string | readonly string[] | null,
    prompt: string,
    speaker?: string,
  ): Promise<BuiltContext> {
    try {
      const { buildContext } = await import('./context-and-answer.ts');
      return await buildContext(this.#parts.project, this.#parts.files, {
        ...options,
        flow,
        node: from,
        prompt,
        speaker,
        detailHint: isToldInWords(this.#modelFor(options), options),
      });
    } catch (cause) {
      if (!options.signal?.aborted) throw cause;
      throw new LLMError('aborted', 'it was stopped before the model was asked', { cause });
    }
  }

  async #flowIfMade(name: string): Promise<Flow | undefined> {
    const { files, project } = this.#parts;
    project.assertOpen();
    return (await files.loadIfMade(name))?.flow;
  }

  async #moveHead(flow: string, id: string): Promise<void> {
    const { head, nodes } = await this.#parts.flows.get(flow);
    if (head === id || nodes.every((node) => node.id !== id)) return;
    await this.#parts.flows.update(flow, { head: id }, {});
  }

  async #parentsOf(flow: string, id: string): Promise<readonly string[]> {
    return new FlowGraph(await this.#parts.flows.get(flow)).parents(id);
  }
}

const NOT_KEPT = 'nothing was written';

/**
 * Returns a model that can be asked. A failure that is known beforehand, such as a package or a key that is missing,
 * leaves no prompt without an answer behind, and is thrown to the caller, which has the prompt still.
 */
async function prepared(model: ChatModel): Promise<ChatModel> {
  try {
    await model.prepare?.();
    return model;
  } catch (cause) {
    if (!LLMError.isInstance(cause)) throw cause;
    const { code, message, provider, modelId, context } = cause;
    const known = defined({ provider, modelId, context });
    throw new LLMError(code, `${NOT_KEPT}: ${message}`, { ...known, cause });
  }
}

/** A turn whose prompt is stored, ready to be sent. */
interface PreparedTurn {
  readonly node: StoredNode;
  readonly model: ChatModel;
  readonly messages: () => Promise<readonly Message[]>;
  readonly context: BuiltContext;
}

/** A model that has tools is given one for that. */
function isToldInWords({ capabilities }: ChatModel, { maxDetails = 3 }: AskOptions): boolean {
  return maxDetails > 0 && capabilities.tools !== true;
}

/** The context calls nodes by short labels. */
function idOf({ report }: BuiltContext, name: string): string {
  return report.entries.find(({ label }) => label === name)?.id ?? name.toLowerCase();
}

function firstOf(from: ChatOptions['from']): string | undefined {
  return typeof from === 'string' ? from : from?.[0];
}

const CONTINUE = {
  ja: '前の回答は途中で切れています。繰り返さずに、続きだけを書いてください。',
  en: 'Your answer was cut off. Write only what follows, without repeating anything.',
} as const;

/**
 * Returns the text that is written after an existing answer.
 *
 * @param told - The system message, where it differs from the one before.
 */
function joined(node: StoredNode, patch: NodePatch, told: readonly NodePart[]): NodePatch {
  const response = node.response + (patch.response ?? '');
  const shift = node.response.length;
  const before: readonly NodePart[] =
    node.responseParts.length > 0 || shift === 0
      ? node.responseParts
      : [{ type: 'text', start: 0, end: shift }];
  const after = (patch.responseParts ?? []).map((part) =>
    part.type === 'text' ? { ...part, start: part.start + shift, end: part.end + shift } : part,
  );
  const isPlain = after.length + node.responseParts.length + told.length === 0;
  const rest: readonly NodePart[] =
    after.length > 0 || response.length === shift
      ? after
      : [{ type: 'text', start: shift, end: response.length }];
  return {
    ...patch,
    response,
    responseParts: isPlain ? [] : [...before, ...told, ...rest],
    stats: addStats(node.stats, patch.stats),
  };
}

/** Returns instructions as a part of the node that was answered with them. */
function instructionsPart(text: string): NodeDataPart {
  return { type: 'data', kind: 'text', value: text, role: 'system' };
}

/**
 * Returns the system message that a node was asked with last; `undefined` if it was asked without. That of imported
 * conversations has a source: another model received it, together with data that is not known here.
 */
function instructionsIn(parts: readonly NodePart[]): string | undefined {
  const texts = parts.flatMap((part) => {
    const isOwn = part.type === 'data' && part.role === 'system' && part.source === undefined;
    return isOwn && part.kind === 'text' && typeof part.value === 'string' ? [part.value] : [];
  });
  return texts.at(-1);
}

/** Lets one prompt of each conversation be answered at a time, in the order they came. */
class PromptQueue {
  readonly #lines = new Map<string, { readonly mutex: Mutex; waiting: number }>();

  /**
   * Waits for the turn of a prompt.
   *
   * @returns A function that ends its turn.
   * @throws LLMError with the code `aborted` if the signal aborts before.
   */
  async enter(conversation: string, signal?: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(conversation) ?? { mutex: new Mutex(), waiting: 0 };
    this.#lines.set(conversation, line);
    line.waiting += 1;
    const leave = (): void => {
      line.waiting -= 1;
      if (line.waiting === 0) this.#lines.delete(conversation);
    };
    try {
      const release = await new Promise<() => void>((resolve, reject) => {
        const turn = line.mutex.run(() => new Promise<void>(resolve), signal);
        turn.catch(reject);
      });
      return () => {
        leave();
        release();
      };
    } catch (cause) {
      leave();
      throw new LLMError('aborted', 'it was stopped before its turn came', { cause });
    }
  }
}
