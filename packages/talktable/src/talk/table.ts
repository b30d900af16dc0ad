import {
  type ChatModel,
  createTokenEstimator,
  messageOf,
  type ModelRegistry,
  type TokenCount,
  type TokenCounter,
} from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { participantsOf } from '../config/check-config.ts';
import { type ConfigIssue, type Fields, isFields } from '../config/config-issue.ts';
import { serversOf } from '../config/talk-trust.ts';
import type { ModeratorConfig, ParticipantConfig, TalkConfig } from '../config/talk-config.ts';
import { TalkError } from '../errors.ts';
import type { ConversationSpeaker, TalkTurn } from '../log/conversation.ts';
import type { ConversationManagerOptions } from '../options.ts';

/** A speaker at the table. */
export interface Seat {
  readonly name: string;
  readonly isModerator: boolean;
  /** Absent for a person. */
  readonly model?: ChatModel;
  readonly persona: string;
  readonly language?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly contextTokens?: number;
  readonly visibleTo?: readonly string[];
  /** Tools that it may call before it speaks. */
  readonly tools?: readonly RunnableTool[];
  /** Learns how the model counts. */
  readonly meter: TokenMeter;
}

/** All participants, by name. */
export type Table = ReadonlyMap<string, Seat>;

/** Creates the participants of a config with their models. */
export function seatsOf(
  config: TalkConfig,
  models: FoundModels,
  tools: readonly RunnableTool[] = [],
): Table {
  const seats = config.participants.map((one, at): Seat => {
    const seat = seatOf(one, one.name, false, models.participants.get(at));
    const own = tools.filter(({ name }) => one.tools?.includes(name));
    return own.length > 0 ? { ...seat, tools: own } : seat;
  });
  const mc = config.moderator;
  if (mc) seats.push(seatOf(mc, mc.name ?? 'MC', true, models.moderator));
  return new Map(seats.map((seat) => [seat.name, seat]));
}

/** `provider:model` of a seat. */
export function modelNameOf({ model }: Seat): string | undefined {
  return model && `${model.provider}:${model.modelId}`;
}

/** Describes a seat for the log. */
export function speakerOf(seat: Seat): ConversationSpeaker {
  const { name, persona } = seat;
  return { name, ...defined({ model: modelNameOf(seat), persona: persona || undefined }) };
}

function seatOf(
  config: ParticipantConfig | ModeratorConfig,
  name: string,
  isModerator: boolean,
  model: ChatModel | undefined,
): Seat {
  const { persona = '', temperature, maxOutputTokens, contextTokens } = config;
  const { language, visibleTo } = isParticipant(config) ? config : {};
  return {
    name,
    isModerator,
    persona: persona.trim(),
    meter: new TokenMeter(),
    ...defined({
      model,
      language,
      temperature,
      maxOutputTokens,
      contextTokens,
      visibleTo,
    }),
  };
}

function isParticipant(config: ParticipantConfig | ModeratorConfig): config is ParticipantConfig {
  return 'language' in config || 'visibleTo' in config;
}

/**
 * The audience may depend on what was said. A name that is not at the table would hide the turn from
 * the speaker that was meant.
 *
 * @throws TalkError with the code `invalid-input`, and what the option `visibleTo` throws.
 */
export function withAudience(
  {
    options,
    table,
  }: {
    readonly options: Pick<ConversationManagerOptions, 'visibleTo'>;
    readonly table: Table;
  },
  seat: Seat,
  turn: TalkTurn,
): TalkTurn {
  if (seat.isModerator) return turn;
  const visibleTo: unknown = options.visibleTo?.(turn);
  if (visibleTo === undefined) return turn;
  if (!Array.isArray(visibleTo)) {
    throw new TalkError('invalid-input', 'the option visibleTo must give a list of names');
  }
  const names = visibleTo.map(String);
  const unknown = names.find((name) => !table.has(name));
  if (unknown === undefined) return { ...turn, visibleTo: names };
  const message = `the option visibleTo named '${unknown}', who is not at the table`;
  throw new TalkError('invalid-input', message, { context: { name: unknown } });
}

/** How much one answer moves the factor. */
const LEARNING_RATE = 0.2;

/** Texts other than turns whose weight is kept: scene, topic and cue are the same in every view. */
const KEPT_TEXTS = 8;

/** Longer ones are not: they are passages, or turns that are cut. */
const MAX_KEPT_CHARACTERS = 4000;

/** The estimated tokens of turns, the same for all who are shown them. */
const weights = new WeakMap<TalkTurn, number>();

/**
 * Counts the tokens of one speaker's model by estimate, learns from what the model itself counts, and
 * weighs each turn, and the text around the turns, only once: a talk is shown again and again.
 */
class TokenMeter implements TokenCounter {
  readonly #base = createTokenEstimator();
  readonly #texts = new Map<string, number>();
  #factor = 1;

  count(text: string): TokenCount {
    return { tokens: Math.ceil(this.#weigh(text) * this.#factor), exact: false };
  }

  /** Returns a turn with the name of its speaker. */
  countTurn(turn: TalkTurn): number {
    const known = weights.get(turn);
    const tokens = known ?? this.#base.count(`${turn.speaker}: ${turn.text}`).tokens;
    if (known === undefined) weights.set(turn, tokens);
    return Math.ceil(tokens * this.#factor);
  }

  /**
   * @param estimated - The estimate of this meter for a prompt.
   * @param counted - The model's own count of it.
   */
  learn(estimated: number, counted: number): void {
    if (!(estimated > 0) || !(counted > 0)) return;
    const wanted = (counted / estimated) * this.#factor;
    this.#factor += LEARNING_RATE * (wanted - this.#factor);
  }

  #weigh(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const { tokens } = this.#base.count(text);
    if (text.length > MAX_KEPT_CHARACTERS) return tokens;
    if (this.#texts.size >= KEPT_TEXTS) {
      const [oldest = ''] = this.#texts.keys();
      this.#texts.delete(oldest);
    }
    this.#texts.set(text, tokens);
    return tokens;
  }
}

/** The models of a config. */
interface FoundModels {
  /** By the place of the participant; a person has none. */
  readonly participants: ReadonlyMap<number, ChatModel>;
  readonly moderator: ChatModel | undefined;
  /** Models that there are not, and keys that are not set. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * Makes the models of a config, which may be wrong otherwise.
 *
 * @param given - Makes them, instead of the usual registry with the config's `providers`.
 */
export async function findModels(
  config: Fields,
  given: ModelRegistry | undefined,
): Promise<FoundModels> {
  const issues: ConfigIssue[] = [];
  const registry = given ?? (await registryOf(config));
  const used = new Map<string, string>();
  const find = (model: unknown, path: readonly PropertyKey[]): ChatModel | undefined => {
    if (typeof model !== 'string') return isModel(model) ? model : undefined;
    const [provider = ''] = model.split(':');
    if (!used.has(provider)) used.set(provider, model);
    try {
      return registry.model(model);
    } catch (error) {
      issues.push({ path, problem: messageOf(error) });
      return undefined;
    }
  };
  const participants = new Map<number, ChatModel>();
  for (const [at, one] of participantsOf(config)) {
    const model = find(one['model'], ['participants', at, 'model']);
    if (model) participants.set(at, model);
  }
  const { moderator: mc } = config;
  const moderator = isFields(mc) ? find(mc['model'], ['moderator', 'model']) : undefined;
  if (!given) issues.push(...missingKeys(config, used));
  return { participants, moderator, issues };
}

function isModel(value: unknown): value is ChatModel {
  return typeof value === 'object' && value !== null && 'stream' in value && 'modelId' in value;
}

async function registryOf(config: Fields): Promise<ModelRegistry> {
  // The adapters of all providers come with it.
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  const entries = serversOf(config).map(([name, { baseURL, apiKeyEnv }]) => {
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
    return [name, defined({ baseURL, apiKey })] as const;
  });
  return createModelRegistry(Object.fromEntries(entries));
}

/** Without its key a server would be asked with none, and refuse in the middle of the talk. */
function missingKeys(config: Fields, used: ReadonlyMap<string, string>): ConfigIssue[] {
  return serversOf(config).flatMap(([name, { apiKeyEnv }]) => {
    const model = used.get(name);
    if (model === undefined || apiKeyEnv === undefined || process.env[apiKeyEnv]) return [];
    const problem = `the environment variable ${apiKeyEnv} is not set, and '${model}' needs it`;
    return [{ path: ['providers', name, 'apiKeyEnv'], problem }];
  });
}
