import { messageOf, type ChatModel, type ModelRegistry } from '@vizprompt/providers';
import type { ToConfigError } from '../config/load-config.ts';
import type { ModeratorConfig, ParticipantConfig, TalkConfig } from '../config/talk-config.ts';
import { defined } from '../defined.ts';
import type { TalkError } from '../errors.ts';
import type { ConversationSpeaker } from '../log/conversation.ts';
import { TokenMeter } from '../view/token-meter.ts';

/** Somebody at the table. */
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
  /** Learns how the model counts. */
  readonly meter: TokenMeter;
}

/** Everybody at the table, by name. */
export type Table = ReadonlyMap<string, Seat>;

/** @throws TalkError with the code `config-invalid` for a model that the registry does not know. */
export async function seatsOf(
  config: TalkConfig,
  given: ModelRegistry | undefined,
  toError: ToConfigError,
): Promise<Table> {
  const registry = given ?? (await registryOf(config));
  const model = (one: string | ChatModel | undefined, path: readonly PropertyKey[]) =>
    modelOf(one, registry, (cause) => toError({ path, problem: messageOf(cause) }, cause));
  const seats = config.participants.map((one, at) =>
    seatOf(one, one.name, false, model(one.model, ['participants', at, 'model'])),
  );
  const mc = config.moderator;
  if (mc) seats.push(seatOf(mc, mc.name ?? 'MC', true, model(mc.model, ['moderator', 'model'])));
  return new Map(seats.map((seat) => [seat.name, seat]));
}

/** `provider:model` of a seat. */
export function modelNameOf({ model }: Seat): string | undefined {
  return model && `${model.provider}:${model.modelId}`;
}

/** What the log says of a seat. */
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

function modelOf(
  model: string | ChatModel | undefined,
  registry: ModelRegistry,
  toError: (cause: unknown) => TalkError,
): ChatModel | undefined {
  if (typeof model !== 'string') return model;
  try {
    return registry.model(model);
  } catch (cause) {
    throw toError(cause);
  }
}

async function registryOf({ providers = {} }: TalkConfig): Promise<ModelRegistry> {
  // The adapters of all providers come with it.
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  const entries = Object.entries(providers).map(([name, { baseURL, apiKeyEnv }]) => {
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
    return [name, defined({ baseURL, apiKey })] as const;
  });
  return createModelRegistry(Object.fromEntries(entries));
}
