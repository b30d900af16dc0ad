import { workflowEn, workflowSummariesEn } from '../workflow/messages/en.ts';
import type { VizpromptMessages } from './vizprompt-messages.ts';

/** What vizprompt says, in English. */
export const vizpromptEn: VizpromptMessages = {
  about: 'Conversations with models as graphs, on plain files.',
  data: 'the project folder (default: the nearest one upwards)',
  summaries: { ...workflowSummariesEn },
  workflow: workflowEn,
};
