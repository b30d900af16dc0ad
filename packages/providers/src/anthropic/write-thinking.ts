import type { JsonObject } from '../json/json-value.ts';
import type { Settings, ThinkingMode } from './settings.ts';

/** The fields that request thinking, and the tokens that it needs in addition to the answer. */
export interface WrittenThinking {
  readonly thinking?: JsonObject;
  /** For `output_config`. */
  readonly effort?: string;
  readonly budgetTokens: number;
}

/** Levels of models that take them. */
const EFFORTS: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

/** Tokens to think with, for models that take no levels; 1024 is the least. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
  max: 48_000,
};

/** Writes how much the model should think. Without a wish nothing is said, and the model does as it always does. */
export function writeThinking(settings: Settings): WrittenThinking {
  const { request, traits, without = [] } = settings;
  const { reasoning } = request;
  if (reasoning === undefined) return { budgetTokens: 0 };
  const mode = settings.thinking ?? modeOf(settings);
  const level =
    'effort' in settings ? settings.effort : EFFORTS[mode === 'least' ? 'low' : reasoning];
  const hasEffort = level !== undefined && traits.hasEffort && !without.includes('effort');
  const effort = hasEffort ? { effort: level } : {};
  switch (mode) {
    case 'budget': {
      const budgetTokens = BUDGETS[reasoning] ?? BUDGETS['low'] ?? 1024;
      return {
        thinking: { type: 'enabled', budget_tokens: budgetTokens },
        ...effort,
        budgetTokens,
      };
    }
    case 'adaptive':
    case 'least':
      // Newer models sign their thoughts and say nothing of them, unless they are asked to.
      return { thinking: { type: 'adaptive', display: 'summarized' }, ...effort, budgetTokens: 0 };
    case 'disabled':
    case 'between_tools':
      return { thinking: { type: mode }, budgetTokens: 0 };
    default:
      return { ...effort, budgetTokens: 0 };
  }
}

function modeOf({ request: { reasoning }, traits }: Settings): ThinkingMode {
  if (traits.thinking === 'never') return 'nothing';
  if (reasoning === 'none') return 'disabled';
  // Older models think only if the request says how much.
  return traits.thinking === 'budget' && reasoning === 'default' ? 'nothing' : traits.thinking;
}
