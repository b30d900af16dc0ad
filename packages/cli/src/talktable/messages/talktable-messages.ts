import type { ToolMessages } from '../../frame/tool.ts';

/** The texts of talktable. */
export interface TalktableMessages extends ToolMessages {
  readonly config: string;
  readonly configOrId: string;
  readonly whichConfig: (id: string) => string;
  readonly called: (speaker: string, tool: string) => string;
  readonly conversation: string;
  readonly unfinished: string;
  readonly topic: string;
  readonly language: string;
  readonly order: string;
  readonly rounds: string;
  readonly maxTurns: string;
  readonly intervalMs: string;
  readonly retries: string;
  readonly logPath: string;
  readonly id: string;
  readonly text: string;
  readonly speaker: string;
  readonly visibleTo: string;
  readonly limit: string;
  readonly status: string;
  readonly prompts: string;
  readonly analysis: string;
  readonly format: string;
  readonly output: string;
  readonly noTalk: (log: string) => string;
  readonly noUnfinishedTalk: (log: string) => string;
  readonly retried: (speaker: string, why: string) => string;
  readonly skipped: (speaker: string, why: string) => string;
  readonly ended: (status: string, reason: string, turns: number, tokens: number) => string;
  readonly pausing: string;
  readonly goOn: string;
  /** Answers to `goOn`. */
  readonly isYes: (answer: string) => boolean;
  readonly isNo: (answer: string) => boolean;
  readonly goesOnWith: (command: string) => string;
  readonly said: string;
  readonly saved: (file: string) => string;
}
