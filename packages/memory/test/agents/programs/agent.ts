import type { Action, Start } from '../scene.ts';
import type { Call, Protocol } from '../server/protocol.ts';

/** Folders and model address of an agent run. */
export interface Place {
  /** Its home folder, which nothing else uses. */
  readonly home: string;
  /** Its working folder. */
  readonly cwd: string;
  /** Address of the fake models. */
  readonly url: string;
}

/** Driver of a current agent. */
export interface Agent {
  /** Its name in the table. */
  readonly name: string;
  /** Its name in `versions.json`. */
  readonly install: string;
  /** Command that starts it. */
  readonly command: string;
  /** Its name for `ptta setup`, if its hooks are known. */
  readonly hooks?: string;
  readonly protocols: readonly Protocol[];
  /** Starts that it has. */
  readonly starts: ReadonlySet<Start>;
  /** Actions that its own tools do to files; others are commands of a shell. */
  readonly fileActions: ReadonlySet<Action['kind']>;
  /** `true` if its transcripts contain its thoughts. */
  readonly thinks: boolean;
  /** `true` if the conversation of a subagent begins with its task. */
  readonly tellsTask: boolean;
  /** Writes the configuration into its home. */
  prepare(place: Place): Promise<void>;
  env(place: Place): Readonly<Record<string, string>>;
  /** Arguments of one question. */
  args(prompt: string, start: Start, place: Place): readonly string[];
  /** Returns the message that the agent records for a prompt on its command line. Default: the prompt. */
  hears?(prompt: string): string;
  /** The call of a tool by which it does something. */
  call(action: Action, cwd: string): Call;
  /** Call with which it waits for a subagent in the background. */
  readonly waits?: Call;
  /** Returns the call with which a subagent ends with an answer. */
  ends?(answer: string): Call;
  /** Scenes that it has no means for. */
  readonly lacks?: ReadonlySet<string>;
}

/** Returns the command of a shell for an action that an agent has no tool for. */
export function shellCommand(action: Action): string {
  switch (action.kind) {
    case 'run':
      return action.command;
    case 'move':
      return `mv ${action.file} ${action.to}`;
    case 'delete':
      return `rm ${action.file}`;
    default:
      throw new TypeError(`no command for '${action.kind}'`);
  }
}
