import { defined, type ChatModel } from '@vizprompt/providers';
import type { ModeratorConfig, ParticipantConfig, TalkConfig } from '../config/talk-config.ts';
import type { ConversationSpeaker } from '../log/conversation.ts';
import { TokenMeter } from '../view/token-meter.ts';
import type { FoundModels } from './find-models.ts';

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

/** Seats everybody of a config with the models that were found for it. */
export function seatsOf(config: TalkConfig, models: FoundModels): Table {
  const seats = config.participants.map((one, at) =>
    seatOf(one, one.name, false, models.participants.get(at)),
  );
  const mc = config.moderator;
  if (mc) seats.push(seatOf(mc, mc.name ?? 'MC', true, models.moderator));
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
