import type { Storage } from '@vizprompt/providers';
import { AT_A_TIME, either, STORAGE, TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-input.ts';
import { TalkError } from '../errors.ts';
import type { Conversation, TalkTurn } from '../log/conversation.ts';
import { type OpenedLog, openLogToRead, USUAL_LOG } from '../log/talk-log.ts';
import { analyzeTurns, type TalkAnalysis } from './analyze.ts';
import {
  type FollowedTalkEvent,
  type FollowOptions,
  followTalk,
  isAwaited,
} from './follow-talk.ts';
import { toHtml, toMarkdown } from './export-talk.ts';

/**
 * The talks of a log, to be read: it needs no config, no model and no right to write, and changes nothing.
 *
 * @example
 * ```ts
 * await using log = await ConversationLog.open('logs/conversation.db');
 * const [newest] = await log.conversations(1);
 * if (newest) console.log(await log.exportConversation(newest.id, 'markdown'));
 * ```
 */
export class ConversationLog implements AsyncDisposable {
  readonly #opened: OpenedLog;
  #isClosed = false;

  /** @internal */
  constructor(opened: OpenedLog) {
    this.#opened = opened;
  }

  /**
   * Opens a log, also one of the older tool or of an older version, on a disk or in a folder that may
   * not be written. (SQLite may leave its own `-wal` and `-shm` next to the file where it may write.)
   *
   * @param where - The SQLite file, or the storage that holds the log, which stays open. Default:
   * `logs/conversation.db`.
   * @throws TalkError with the code `log-unreadable` where there is no log, or it cannot be read.
   */
  static async open(where: string | Storage = USUAL_LOG): Promise<ConversationLog> {
    checkArgument('the log to open', where, either(TEXT, STORAGE));
    return new ConversationLog(await openLogToRead(where));
  }

  /** Returns the talks of the log, the newest first. Default: 100 at most. */
  async conversations(limit = 100): Promise<readonly Conversation[]> {
    this.#assertOpen();
    checkArgument('the limit of conversations', limit, AT_A_TIME);
    return this.#opened.log.conversations(limit);
  }

  /** @throws TalkError with the code `conversation-not-found`, or `corrupt` with the place. */
  async conversation(id: string): Promise<Conversation> {
    this.#assertOpen();
    checkArgument('the id of a conversation', id, TEXT);
    return (await this.#opened.log.conversation(id)).conversation;
  }

  /**
   * Returns the turns of a talk in the order of speaking, decisions of the moderator included. Turns whose rows are damaged
   * are left out.
   *
   * @throws TalkError with the code `conversation-not-found`, or `corrupt` with the places of damaged turns in
   * `context.damaged`, when all others were given.
   */
  async *turns(id: string): AsyncGenerator<TalkTurn, void, undefined> {
    await this.conversation(id);
    yield* this.#opened.log.turns(id, { prompts: true });
  }

  /**
   * Listens to a talk, whichever process leads it: what was said so far, then each turn as it ends, the persons who are to
   * speak, and the end. Any number of listeners may do so.
   *
   * @throws TalkError with the code `conversation-not-found`.
   *
   * @example
   * ```ts
   * for await (const event of log.follow(id)) {
   *   if (event.type === 'turn:ended') console.log(`${event.turn.speaker}: ${event.turn.text}`);
   * }
   * ```
   */
  async *follow(
    id: string,
    options: FollowOptions = {},
  ): AsyncGenerator<FollowedTalkEvent, void, undefined> {
    yield* followTalk(
      {
        conversation: () => this.conversation(id),
        turns: (from) => this.#opened.log.turns(id, { prompts: false, from }),
      },
      options,
    );
  }

  /**
   * Returns the person whose words are waited for, and the number of the turn: what a front shows before it calls `say`.
   *
   * @throws TalkError with the code `conversation-not-found`.
   */
  async awaited(
    id: string,
  ): Promise<{ readonly number: number; readonly speaker: string } | undefined> {
    await this.conversation(id);
    for await (const turn of this.#opened.log.turns(id, { prompts: false })) {
      if (isAwaited(turn)) return { number: turn.number, speaker: turn.speaker };
    }
    return undefined;
  }

  /**
   * The talk as a text: Markdown, JSON, or an HTML page that needs nothing else. It says which turns cannot be read.
   *
   * @throws TalkError with the code `conversation-not-found`, or `invalid-input` for another format.
   */
  async exportConversation(id: string, format: TalkExportFormat): Promise<string> {
    const conversation = await this.conversation(id);
    const turns: TalkTurn[] = [];
    try {
      for await (const turn of this.turns(id)) turns.push(turn);
    } catch (error) {
      if (!TalkError.isInstance(error) || error.code !== 'corrupt') throw error;
      return exportTalk({ ...conversation, damaged: error.message }, turns, format);
    }
    return exportTalk(conversation, turns, format);
  }

  /**
   * Turns, tokens, time and cost of each speaker, and how much they repeat themselves.
   *
   * @throws TalkError with the code `conversation-not-found`, or `corrupt` if a turn cannot be read.
   */
  async analyze(id: string): Promise<TalkAnalysis> {
    await this.conversation(id);
    return analyzeTurns(this.#opened.log.turns(id, { prompts: false }));
  }

  /** Closes the log, unless it is in a given storage. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#opened.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TalkError('closed', 'the log is closed');
  }
}

/** The format of an exported talk. */
export type TalkExportFormat = 'markdown' | 'json' | 'html';

/**
 * Returns a talk as a text.
 *
 * @throws TalkError with the code `invalid-input` for a format that there is not.
 */
function exportTalk(
  conversation: Conversation,
  turns: readonly TalkTurn[],
  format: TalkExportFormat,
): string {
  switch (format) {
    case 'markdown':
      return toMarkdown(conversation, turns);
    case 'html':
      return toHtml(conversation, turns);
    case 'json':
      return toJson(conversation, turns);
    default:
      throw new TalkError(
        'invalid-input',
        `there is no format '${String(format)}': the formats are markdown, json and html`,
      );
  }
}

/** All that the log knows of a talk, prompts and decisions included. */
function toJson(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const form = { format: 'vizprompt-talk', version: 1 };
  return `${JSON.stringify({ ...form, conversation, turns }, undefined, 2)}\n`;
}
