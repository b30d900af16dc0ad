import { type Budget, createId, TypedEvents } from '@vizprompt/providers';
import {
  omitUndefined as defined,
  type Listener,
  type Unsubscribe,
} from '@vizprompt/providers/internal';
import { createBudget } from '@vizprompt/providers/middleware';
import { assertOpened } from '../check-input.ts';
import { planOf, type TalkPlan } from '../config/plan.ts';
import type { TalkConfig } from '../config/talk-config.ts';
import { TalkError } from '../errors.ts';
import { checkListener, type TalkEvents } from '../events.ts';
import { type Conversation, isUnfinished, type TalkTurn } from '../log/conversation.ts';
import { finished, type LedLog, type TalkLog } from '../log/talk-log.ts';
import {
  assertName,
  checkCall,
  type ConversationManagerOptions,
  limitsOf,
  type PauseOptions,
  type RunOptions,
  type SayOptions,
  type StartOptions,
  type StopOptions,
} from '../options.ts';
import { isSpoken, TalkState } from '../plan/moderator.ts';
import type { TalkAnalysis } from '../reading/analyze.ts';
import { ConversationLog, type TalkExportFormat } from '../reading/conversation-log.ts';
import type { FollowedTalkEvent, FollowOptions } from '../reading/follow-talk.ts';
import { type OpenedTable, openTable } from './open-table.ts';
import { sayInTalk } from './say-in-talk.ts';
import { speakerOf, type Table } from './table.ts';
import {
  forwardEvents,
  type LeadContext,
  type LeadRun,
  leadTalk,
  RunControl,
  TalkRun,
  writeHeld,
} from './talk-run.ts';
import { setEnd, type UnwrittenTurn } from './turn.ts';

/**
 * Leads talks between models under a moderator, and keeps them in a log from which they continue after an
 * error, an interruption or a crash. One talk at a time.
 *
 * @example
 * ```ts
 * await using manager = await ConversationManager.open('talk.yaml');
 * for await (const event of manager.start()) {
 *   if (event.type === 'turn:delta') process.stdout.write(event.text);
 * }
 * ```
 */
export class ConversationManager implements AsyncDisposable {
  readonly #config: TalkConfig;
  readonly #table: Table;
  readonly #configPath: string | undefined;
  readonly #opened: LedLog;
  readonly #reader: ConversationLog;
  readonly #options: ConversationManagerOptions;
  readonly #events: TypedEvents<TalkEvents>;
  /** The talk that is in progress, or was the last. */
  #talk: LeadContext | undefined;
  /** Settles when the run in progress has ended. */
  #running: Promise<unknown> | undefined;
  #control: RunControl | undefined;
  readonly #unwritten = new Map<string, UnwrittenTurn>();
  #isClosed = false;

  private constructor(opened: OpenedTable, options: ConversationManagerOptions) {
    assertOpened(opened, 'table', 'ConversationManager.open(config)');
    this.#config = opened.config;
    this.#table = opened.table;
    this.#configPath = opened.configPath;
    this.#opened = opened.log;
    this.#reader = new ConversationLog(opened.log);
    this.#options = options;
    this.#events = new TypedEvents({ logger: options.logger, check: checkListener });
  }

  /**
   * Reads and checks the config, makes the models and opens the log. No model is called.
   *
   * @param config - The path of a YAML file, or the config itself.
   * @throws TalkError with the code `config-invalid` (with file, line and column) or `log-unwritable`;
   * TrustError with the code `untrusted` for a file that asks for consent which was not given.
   */
  static async open(
    config: string | URL | TalkConfig,
    options: ConversationManagerOptions = {},
  ): Promise<ConversationManager> {
    checkCall('open', options);
    return new ConversationManager(await openTable(config, options), options);
  }

  /** Calls `listener` at each event of this name until the returned function is called. */
  on<Name extends keyof TalkEvents>(name: Name, listener: Listener<TalkEvents[Name]>): Unsubscribe {
    return this.#events.on(name, listener);
  }

  /**
   * Starts a talk. It begins when the run is iterated or its `result()` asked for.
   *
   * @throws TalkError with the code `invalid-input` for limits that are not whole numbers from 1 on,
   * or an id that is empty or broken; from the run with the code `exists` if the id is taken.
   */
  start(options: StartOptions = {}): TalkRun {
    checkCall('start', options);
    const limits = limitsOf(options);
    const conversationId = options.conversationId ?? createId(this.#now().getTime());
    assertName(conversationId, 'conversationId');
    return this.#run(conversationId, options, async (control) => {
      const plan = planOf(this.#config, limits);
      const state = new TalkState(plan);
      const talk = this.#context({ conversationId, plan, state, control });
      this.#talk = talk;
      const seats = [...this.#table.values()];
      const moderator = seats.find((seat) => seat.isModerator);
      const conversation: Conversation = {
        id: conversationId,
        topic: plan.topic,
        startedAt: talk.now(),
        status: 'running',
        participants: seats.filter((seat) => !seat.isModerator).map(speakerOf),
        ...defined({
          moderator: moderator && speakerOf(moderator),
          configPath: this.#configPath,
        }),
      };
      await talk.log.begin(conversation, limits);
      talk.emit('talk:started', { conversationId, topic: plan.topic });
      return { talk };
    });
  }

  /**
   * Continues with a talk exactly where it is, whether it was paused or stopped, failed or its process
   * died. A turn that was in progress is asked for again; its row then says so in `attempt`.
   *
   * @param options - Limits given here replace those that the talk was started with.
   * @throws TalkError with the code `invalid-input` for limits that are not whole numbers from 1 on, or an
   * id that is empty or broken; from the run with the code `conversation-not-found`, `finished`,
   * `conflict` if another process leads it, or `invalid-input` if others sit at the table of the config.
   */
  resume(conversationId: string, options: RunOptions = {}): TalkRun {
    checkCall('resume', options);
    const given = limitsOf(options);
    assertName(conversationId, 'conversationId');
    return this.#run(conversationId, options, async (control) => {
      const { log } = this.#opened;
      const { conversation, limits } = await log.conversation(conversationId);
      if (conversation.status === 'done') throw finished(conversationId);
      const isExtended = Object.keys(given).length > 0;
      if (isExtended) await log.setLimits(conversationId, given);
      const plan = planOf(this.#config, isExtended ? given : limits);
      const { state, redo, last } = await restoreTalk(log, plan, conversation);
      if (!isExtended) state.reason = conversation.stopReason;
      const talk = this.#context({ conversationId, plan, state, control }, redo);
      this.#talk = talk;
      const held = this.#unwritten.get(conversationId);
      await writeHeld(talk, held).catch((error: unknown) => {
        // Another process continued without it.
        if (TalkError.isInstance(error) && error.code === 'conflict') {
          this.#unwritten.delete(conversationId);
        }
        throw error;
      });
      this.#unwritten.delete(conversationId);
      await setEnd(talk, { status: 'running' });
      const open = held ? undefined : redo;
      talk.emit('talk:resumed', { conversationId, ...defined({ turn: open?.number }) });
      return { talk, ...defined({ redo: open, last }) };
    });
  }

  /**
   * Ends the run after the turn in progress; a person is not waited for. The talk can be resumed.
   */
  async pause(options: PauseOptions = {}): Promise<void> {
    checkCall('pause', options);
    const { now = false } = options;
    await this.#end('paused', 'pause() was called', now);
  }

  /**
   * Ends the run at once: the call in progress is broken off, and its row says so. The talk can be resumed.
   */
  async stop(options: StopOptions = {}): Promise<void> {
    checkCall('stop', options);
    const { closing = false } = options;
    if (!closing) return this.#end('stopped', 'stop() was called', true);
    if (this.#control) this.#control.isClosing = true;
    await this.#running?.catch(() => undefined);
  }

  /** Raises a signal for the stop rule `{ signal: name }` of the talk in progress. */
  signal(name: string): void {
    this.#talk?.state.signals.add(name);
  }

  /**
   * Says something in a talk, whether it is in progress here, in another process or nowhere: as someone
   * outside, heard from the next turn on, or as the person whose turn it is, as the answer. It is in the
   * log when the promise resolves, unless a person is waited for here: then the turn's own row follows.
   *
   * @throws TalkError with the code `invalid-input` if there is no talk or no text, or if `as` is the name
   * of a model at the table; `conversation-not-found`; `finished`; `log-unwritable`; `conflict` if
   * another process gave the person's answer.
   *
   * @example
   * ```ts
   * await manager.say('もっと短く。', { conversationId: id });
   * await manager.resume(id).result();
   * ```
   */
  async say(text: string, options: SayOptions = {}): Promise<void> {
    this.#assertOpen();
    checkCall('say', options);
    const { conversationId = this.#talk?.conversationId } = options;
    if (conversationId === undefined) {
      const message = 'there is no talk to speak in: start one, or name one by conversationId';
      throw new TalkError('invalid-input', message);
    }
    assertName(conversationId, 'conversationId');
    const isLed = this.#running !== undefined && this.#talk?.conversationId === conversationId;
    if (isLed && this.#talk) return sayInTalk(this.#talk, text, options);
    await this.#sayOutside(conversationId, text, options);
  }

  async #sayOutside(conversationId: string, text: string, options: SayOptions): Promise<void> {
    const { log } = this.#opened;
    const { conversation, limits } = await log.conversation(conversationId);
    if (conversation.status === 'done') throw finished(conversationId);
    const plan = planOf(this.#config, limits);
    const { state, redo } = await restoreTalk(log, plan, conversation);
    const control = new RunControl();
    const talk = this.#context({ conversationId, plan, state, control });
    try {
      await sayInTalk(talk, text, options, redo);
    } catch (error) {
      const isConflict = TalkError.isInstance(error) && error.code === 'conflict';
      const isAnswer = redo !== undefined && redo.speaker === options.as;
      if (!isConflict || isAnswer) throw error;
      // The leader of the talk wrote a turn meanwhile: these words come after it.
      await this.#sayOutside(conversationId, text, options);
    }
  }

  /** Returns the talks of the log, the newest first. Default: 100 at most. */
  async conversations(limit = 100): Promise<readonly Conversation[]> {
    return this.#reading().conversations(limit);
  }

  /** @throws TalkError with the code `conversation-not-found`. */
  async conversation(id: string): Promise<Conversation> {
    return this.#reading().conversation(id);
  }

  /**
   * Returns the turns of a talk in the order of speaking, decisions of the moderator included.
   *
   * @throws TalkError with the code `conversation-not-found`.
   */
  async *turns(id: string): AsyncGenerator<TalkTurn, void, undefined> {
    yield* this.#reading().turns(id);
  }

  /**
   * Listens to a talk, whichever process leads it, with any number of listeners: see {@link ConversationLog.follow}.
   *
   * @throws TalkError with the code `conversation-not-found`.
   */
  async *follow(
    id: string,
    options: FollowOptions = {},
  ): AsyncGenerator<FollowedTalkEvent, void, undefined> {
    yield* this.#reading().follow(id, options);
  }

  /**
   * Returns the person whose words are waited for, in whichever process, and the number of the turn.
   *
   * @throws TalkError with the code `conversation-not-found`.
   */
  async awaited(
    id: string,
  ): Promise<{ readonly number: number; readonly speaker: string } | undefined> {
    return this.#reading().awaited(id);
  }

  /**
   * The talk as a text: Markdown, JSON, or an HTML page that needs nothing else.
   *
   * @throws TalkError with the code `conversation-not-found`, or `invalid-input` for another format.
   */
  async exportConversation(id: string, format: TalkExportFormat): Promise<string> {
    return this.#reading().exportConversation(id, format);
  }

  /**
   * Turns, tokens, time and cost of each speaker, and how much they repeat themselves.
   *
   * @throws TalkError with the code `conversation-not-found`.
   */
  async analyze(id: string): Promise<TalkAnalysis> {
    return this.#reading().analyze(id);
  }

  /** Stops what is in progress and closes the log, unless it is in a given storage. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#end('stopped', 'the manager was closed', true);
    await this.#opened.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #run(
    conversationId: string,
    { signal }: RunOptions,
    prepare: (control: RunControl) => Promise<{
      readonly talk: LeadContext;
      readonly redo?: TalkTurn;
      readonly last?: TalkTurn;
    }>,
  ): TalkRun {
    const control = new RunControl();
    const lead: LeadRun = async (tell, ready) => {
      this.#assertOpen();
      if (this.#running) {
        const message = 'this manager leads a talk already: pause it, or open another manager';
        throw new TalkError('busy', message, { context: { conversationId } });
      }
      this.#control = control;
      control.follow(signal);
      const unlisten = forwardEvents(this.#events, conversationId, tell);
      const leading = (async () => {
        await using _ = await this.#opened.lead(conversationId);
        const { talk, ...options } = await prepare(control);
        try {
          return await leadTalk(talk, { ...options, ready });
        } finally {
          if (talk.unwritten) this.#unwritten.set(conversationId, talk.unwritten);
        }
      })();
      this.#running = leading;
      try {
        return await leading;
      } finally {
        this.#running = undefined;
        unlisten();
        control.close();
      }
    };
    return new TalkRun(conversationId, lead, () => {
      control.end('paused', 'the loop over its events was left', true);
    });
  }

  async #end(ending: 'paused' | 'stopped', why: string, now: boolean): Promise<void> {
    if (!this.#running) return;
    this.#control?.end(ending, why, now);
    await this.#running.catch(() => undefined);
  }

  #context(
    own: {
      readonly conversationId: string;
      readonly plan: TalkPlan;
      readonly state: TalkState;
      readonly control: RunControl;
    },
    redo?: TalkTurn,
  ): LeadContext {
    return {
      ...own,
      table: this.#table,
      log: this.#opened.log,
      budgets: budgetsOf(this.#config, this.#options, own.state, redo),
      options: this.#options,
      now: () => this.#now().toISOString(),
      emit: (name, payload) => this.#events.emit(name, payload),
      writing: Promise.resolve(),
      awaited: undefined,
      unwritten: undefined,
    };
  }

  #reading(): ConversationLog {
    this.#assertOpen();
    return this.#reader;
  }

  #now(): Date {
    return this.#options.clock?.() ?? new Date();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TalkError('closed', 'the manager is closed');
  }
}

/** Returns the budgets of a talk: the config's own without what was spent, and a shared one. */
function budgetsOf(
  { budget }: TalkConfig,
  { budget: shared }: ConversationManagerOptions,
  { tokens, costUsd }: TalkState,
  redo: TalkTurn | undefined,
): readonly Budget[] {
  const more = shared ? [shared] : [];
  if (!budget) return more;
  const { inputTokens = 0, outputTokens = 0, costUsd: cost = 0 } = redo ?? {};
  const left = (limit: number | undefined, spent: number): number | undefined =>
    limit === undefined ? undefined : Math.max(0, limit - spent);
  const own = {
    tokens: left(budget.tokens, tokens + inputTokens + outputTokens),
    costUsd: left(budget.costUsd, costUsd + cost),
  };
  return [createBudget(defined(own)), ...more];
}

/** A talk as its log has it. */
interface RestoredTalk {
  readonly state: TalkState;
  /** The turn that was not finished. */
  readonly redo?: TalkTurn;
  /** The last turn that was. */
  readonly last?: TalkTurn;
}

/** Reads a talk back, turn by turn. */
async function restoreTalk(
  log: TalkLog,
  plan: TalkPlan,
  conversation: Conversation,
): Promise<RestoredTalk> {
  assertSameTable(plan, conversation);
  const state = new TalkState(plan);
  let redo: TalkTurn | undefined;
  let lastId: number | undefined;
  for await (const turn of log.turns(conversation.id, { prompts: false })) {
    if (isUnfinished(turn)) {
      redo = turn;
      state.nextNumber = Math.max(state.nextNumber, turn.number + 1);
      continue;
    }
    state.add(turn);
    if (isSpoken(turn)) lastId = turn.id;
  }
  const last = lastId === undefined ? undefined : await log.turn(lastId);
  return { state, ...(redo ? { redo } : {}), ...(last ? { last } : {}) };
}

/** @throws TalkError with the code `invalid-input` if others sit at the table now. */
function assertSameTable(plan: TalkPlan, { id, participants, moderator }: Conversation): void {
  const before = [...participants.map(({ name }) => name), moderator?.name ?? ''];
  const now = [...plan.participants, plan.moderator?.name ?? ''];
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const message =
    `the conversation '${id}' was led with ${before.filter(Boolean).join(', ')}, and the config has ` +
    `${now.filter(Boolean).join(', ')}: open the manager with the config of the talk`;
  throw new TalkError('invalid-input', message, { context: { id, before, now } });
}
