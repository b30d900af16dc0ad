import type { ChatModel, ChatRequest, FinishReason, Usage } from '@vizprompt/providers';
import type { ContextOptions } from '../context/context-options.ts';
import type { BuiltContext } from '../context/context-report.ts';
import type { NewAttachment } from '../node/attachments.ts';
import type { StoredNode } from '../node/node.ts';

/** Options of every call that asks a model. */
export interface AskOptions extends Pick<
  ContextOptions,
  'budget' | 'references' | 'pin' | 'exclude' | 'retriever'
> {
  /**
   * What the model is told before all else, such as who it is: the first message, as it stands. It counts
   * towards `budget`, and is kept with the node: a part of the prompt with the role `system`. `''`: nothing.
   * Default: of `retry`, `edit` and `continue`, what the node was asked with last; of `chat`, nothing.
   */
  readonly instructions?: string | undefined;
  /** The flow that the answer joins. Default: the one flow that the node is in, or else `'main'`. */
  readonly flow?: string | undefined;
  /** Answers. Default: the model of the project. */
  readonly model?: ChatModel | undefined;
  /** Stops the answer: what had come is kept, with the status `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How often the model may ask for nodes in full. What it is given has no more tokens than `budget`, in
   * all; longer texts are cut in their middle, with a mark. Default: 3; 0: never.
   */
  readonly maxDetails?: number | undefined;
  /** Temperature, limits and the like; the messages are made here. */
  readonly request?: Omit<ChatRequest, 'messages' | 'tools' | 'toolChoice' | 'signal'> | undefined;
}

/** Options of `chat`. */
export interface ChatOptions extends AskOptions {
  /** What is asked. */
  readonly prompt: string;
  /** The node, or nodes, that it goes on from; `null`: none. Default: the head of the flow. */
  readonly from?: string | readonly string[] | null | undefined;
  /** The name of the branch that begins with it. */
  readonly branchName?: string | undefined;
  /** Files that go with the prompt. */
  readonly attachments?: readonly NewAttachment[] | undefined;
}

/** An event in the course of an answer. */
export type ChatTurnEvent =
  /** The prompt is on the disk, and what will be sent with it is known. */
  | { readonly type: 'asked'; readonly node: StoredNode; readonly context: BuiltContext }
  /** A piece of the answer, or of what the model thinks. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** The model asked for nodes in full; it is answered, and goes on from the start of its answer. */
  | { readonly type: 'detail'; readonly ids: readonly string[] }
  /** The answer is on the disk. */
  | {
      readonly type: 'answered';
      readonly node: StoredNode;
      readonly finishReason: FinishReason;
      readonly usage: Usage;
    };
