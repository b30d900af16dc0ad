/** An action that a model requests from its agent. Each agent has a tool of its own for it. */
export type Action =
  | { readonly kind: 'read'; readonly file: string }
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  | { readonly kind: 'edit'; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: 'move'; readonly file: string; readonly to: string }
  | { readonly kind: 'delete'; readonly file: string }
  | { readonly kind: 'run'; readonly command: string; readonly fails?: boolean }
  | { readonly kind: 'look'; readonly file: string }
  | { readonly kind: 'delegate'; readonly task: string }
  | { readonly kind: 'plan'; readonly items: readonly string[] };

/** One answer of the model. */
export interface Step {
  readonly think?: string;
  readonly say?: string;
  readonly do?: readonly Action[];
  /** The server answers only after this many milliseconds: the scene ends the agent meanwhile. */
  readonly delayMs?: number;
}

/** Start mode of the agent for a question. */
export type Start = 'fork' | 'new' | 'resume';

/** Something that a user asks, and the answers that the model gives to it. */
export interface Question {
  readonly start: Start;
  readonly prompt: string;
  /** The prompt is a command of the agent by which it sums up the conversation: no answer is said. */
  readonly isCompaction?: boolean;
  /** Working folder of the agent: a folder of the workspace, or its worktree. */
  readonly folder?: string;
  readonly steps: readonly Step[];
  /** The agent is killed when the model is asked for this step (from 0). */
  readonly killAt?: number;
}

/** A scene: what is asked and answered, and what the memory must hold afterwards. */
export interface Scene {
  readonly name: string;
  readonly questions: readonly Question[];
  /** Asks all questions at the same time, in a session each. */
  readonly atOnce?: boolean;
  /** Answers of subagents, by the mark of their task. */
  readonly subagents?: Readonly<Record<string, readonly Step[]>>;
  /** Lines that its commands print. The memory must have those that the agent gave to its model or saved. */
  readonly outputs?: readonly string[];
}

/** Files of a workspace at the beginning of each scene. */
export const FILES: Readonly<Record<string, string>> = {
  'in.txt': 'こんにちは世界\nhello\n',
  'sub/deep.txt': '深い\n',
};

/** Marks a prompt, by which the server knows which answers belong to it. */
export function mark(scene: string, question: number | string): string {
  return `⟦${scene}:${question}⟧`;
}

const MARK = /⟦([\w-]+):([\w-]+)⟧/gu;

/** The past sessions in the answers of hooks, whose marks are not those of the question. */
const RECALLED = /(?:<|&lt;)recalled-memory\b[^]*?(?:<|&lt;)\/recalled-memory(?:>|&gt;)/g;

/** Returns the last mark in a text. */
export function markIn(text: string): string | undefined {
  return [...text.replaceAll(RECALLED, '').matchAll(MARK)].at(-1)?.[0];
}

/** Returns the answers of all marks of a scene. */
export function answersOf(scene: Scene): ReadonlyMap<string, readonly Step[]> {
  return new Map([
    ...scene.questions.map(({ steps }, at) => [mark(scene.name, at), steps] as const),
    ...Object.entries(scene.subagents ?? {}).map(
      ([task, steps]) => [mark(scene.name, task), steps] as const,
    ),
  ]);
}
