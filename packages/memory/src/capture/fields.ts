export { parseShallowJson as parseJson } from '@vizprompt/providers/transcripts/internal';
export { numberAt, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
