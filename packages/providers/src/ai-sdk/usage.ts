import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { FinishReason, Usage } from '../models/events.ts';
import { plainObject } from './json.ts';
import { isRecord } from '../json/fields.ts';
import type { AiSdkUsage } from './spec.ts';

/** The AI SDK's record of a call as ours. */
export function readUsage({ inputTokens, outputTokens, raw }: AiSdkUsage): Usage {
  const { total: input, cacheRead, cacheWrite } = inputTokens;
  const { total: output, reasoning } = outputTokens;
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cacheRead === undefined ? {} : { cachedInputTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteInputTokens: cacheWrite }),
    ...(isRecord(raw) ? { raw: plainObject(raw) } : {}),
  };
}

/** Our record of a call as the AI SDK's. */
export function writeUsage(usage: Usage): LanguageModelV3Usage {
  const { inputTokens, outputTokens, reasoningTokens, raw } = usage;
  const { cachedInputTokens, cacheWriteInputTokens } = usage;
  return {
    inputTokens: {
      total: inputTokens,
      noCache: difference(difference(inputTokens, cachedInputTokens), cacheWriteInputTokens ?? 0),
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteInputTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: difference(outputTokens, reasoningTokens),
      reasoning: reasoningTokens,
    },
    ...(isRecord(raw) ? { raw: plainObject(raw) } : {}),
  };
}

/** Our word for why an answer ended as the AI SDK's. */
export function writeReason(
  reason: FinishReason,
  raw: string | undefined,
): LanguageModelV3FinishReason {
  return { unified: reason === 'unknown' ? 'other' : reason, raw };
}

function difference(all: number | undefined, part: number | undefined): number | undefined {
  return all === undefined || part === undefined ? undefined : Math.max(0, all - part);
}
