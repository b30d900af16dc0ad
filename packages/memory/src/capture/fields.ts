export { numberAt, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
export { parseShallowJson as parseJson } from '@vizprompt/providers/transcripts/internal';
