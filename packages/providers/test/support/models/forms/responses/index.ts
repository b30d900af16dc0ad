import type { Form } from '../form.ts';
import { ENDING_FORMS } from './ending-forms.ts';
import { EVENT_FORMS } from './event-forms.ts';
import { ITEM_FORMS } from './item-forms.ts';
import { PIECE_FORMS } from './piece-forms.ts';
import { RESPONSES_REFUSAL_FORMS } from './refusal-forms.ts';

/** Forms of OpenAI's Responses API. */
export const RESPONSES_FORMS: readonly Form[] = [
  ...ENDING_FORMS,
  ...EVENT_FORMS,
  ...PIECE_FORMS,
  ...ITEM_FORMS,
  ...RESPONSES_REFUSAL_FORMS,
];
