import type { ChatModel } from '@vizprompt/providers';
import type { StopRule } from '../stop/stop-rule.ts';

/** The settings of any speaker. */
export interface SpeakerConfig {
  /** Shown to the others; unique in the talk. */
  readonly name: string;
  /** `provider:model`, or a model itself where the config is an object. */
  readonly model?: string | ChatModel | undefined;
  /** The speaker's character and style. Default: nothing more than its name. */
  readonly persona?: string | undefined;
  /** How freely words are chosen. Default: the provider's. */
  readonly temperature?: number | undefined;
  /** Tokens of an answer. Default: the provider's, and 1,024 are kept free for it. */
  readonly maxOutputTokens?: number | undefined;
  /** Tokens that prompt and answer may have. Default: the model's own limit, or 8,192. */
  readonly contextTokens?: number | undefined;
}

/** A participant: a model, or a person. */
export interface ParticipantConfig extends SpeakerConfig {
  /** True if a person speaks, through the option `ask` or `say(text, { as })`. Default: `false`. */
  readonly person?: boolean | undefined;
  /** The language that it speaks. Default: that of the talk. */
  readonly language?: string | undefined;
  /** The speakers that hear it, besides the moderator. Default: everyone. */
  readonly visibleTo?: readonly string[] | undefined;
  /** The round from which it takes part, from 1. Default: 1. */
  readonly joinsAt?: number | undefined;
  /** The round after which it leaves. Default: it stays. */
  readonly leavesAfter?: number | undefined;
  /** Tools that it may call before it speaks, by their names in the option `tools`. */
  readonly tools?: readonly string[] | undefined;
}

/** The speaker that opens, sums up and closes. */
export interface ModeratorConfig extends Omit<SpeakerConfig, 'name' | 'model'> {
  /** Shown to the others. Default: `'MC'`. */
  readonly name?: string | undefined;
  /** `provider:model`, or a model itself where the config is an object. */
  readonly model: string | ChatModel;
  /** When it sums up: after each turn, each round, or this many turns. Default: `'round'`. */
  readonly every?: 'turn' | 'round' | number | undefined;
  /** True if it opens the talk. Default: `true`. */
  readonly opening?: boolean | undefined;
  /** True if it closes the talk. Default: `true`. */
  readonly closing?: boolean | undefined;
  /** Its instructions, instead of the usual sentences. */
  readonly instructions?:
    | {
        readonly opening?: string | undefined;
        readonly summary?: string | undefined;
        readonly closing?: string | undefined;
      }
    | undefined;
}

/**
 * Chooses the next speaker. `roundRobin`: in the order of the list; `moderator`: named by the moderator;
 * `mention`: named by the last speaker; `custom`: by the option `nextSpeaker`. With the last three no one
 * speaks twice in a row, and where they name no one, the one that was silent for longest speaks.
 */
export type SpeakerOrder = 'roundRobin' | 'moderator' | 'mention' | 'custom';

/** How long a model may take, in milliseconds. */
export interface TalkTimeouts {
  /** For one answer, with the repetitions of a call that failed. Default: no limit. */
  readonly totalMs?: number | undefined;
  /** Until the first piece of an answer. Default: 120,000. */
  readonly firstByteMs?: number | undefined;
  /** Between two pieces. Default: 60,000. */
  readonly idleMs?: number | undefined;
}

/** The price of a model, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** For tokens from the provider's cache. Default: `inputPerMillion`. */
  readonly cachedInputPerMillion?: number | undefined;
  /** For tokens that are written to the provider's cache. Default: `inputPerMillion`. */
  readonly cacheWriteInputPerMillion?: number | undefined;
  /** For tokens that are spent on thinking. Default: `outputPerMillion`. */
  readonly reasoningPerMillion?: number | undefined;
}

/** A talk: what about, who, and how long. Everything but topic and participants is optional. */
export interface TalkConfig {
  /** The topic of the talk. */
  readonly topic: string;
  /** At least two. */
  readonly participants: readonly ParticipantConfig[];
  /** Opens, sums up and closes. Default: no moderator. */
  readonly moderator?: ModeratorConfig | undefined;
  /** Such as `ja`, `en`, or a name. Default: Japanese where the topic has its characters, else English. */
  readonly language?: string | undefined;
  /** Chooses the next speaker. Default: `'roundRobin'`. */
  readonly order?: SpeakerOrder | undefined;
  /** The talk ends after this many rounds; a round is one turn for each participant. */
  readonly rounds?: number | undefined;
  /** The talk ends after this many turns of participants. Default: 10, if nothing else ends it. */
  readonly maxTurns?: number | undefined;
  /** Further rules that end it; a list is an "or". */
  readonly stop?: StopRule | readonly StopRule[] | undefined;
  /** A pause between turns, in milliseconds. Default: 0. */
  readonly intervalMs?: number | undefined;
  /** How often a call that failed for a passing reason, or an empty answer, is repeated. Default: 2. */
  readonly retries?: number | undefined;
  /** How long an answer may take. */
  readonly timeout?: TalkTimeouts | undefined;
  /** The most that the talk may use; a call that may take more is not made, and the talk fails. */
  readonly budget?:
    | { readonly tokens?: number | undefined; readonly costUsd?: number | undefined }
    | undefined;
  /** By model id, such as `gpt-5-mini`. */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /** The SQLite file of the log. Default: `logs/conversation.db`. */
  readonly logPath?: string | undefined;
  /** How much of the talk a speaker is shown. */
  readonly context?:
    | {
        /** The newest turns at most. Default: 40. */
        readonly turns?: number | undefined;
        /** Tokens of a prompt at most. Default: 16,000; never more than the model reads. */
        readonly tokens?: number | undefined;
      }
    | undefined;
  /** How much is looked up for a turn, where the option `knowledge` is given. */
  readonly knowledge?:
    | {
        /** Passages. Default: 3. */
        readonly passages?: number | undefined;
      }
    | undefined;
  /** Servers by name, for `NAME:model`; the usual providers are known. Keys stay in the environment. */
  readonly providers?:
    | Readonly<
        Record<
          string,
          { readonly baseURL?: string | undefined; readonly apiKeyEnv?: string | undefined }
        >
      >
    | undefined;
}
