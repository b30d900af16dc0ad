import type { Place } from '../project/file-in-area.ts';

/** The names of the tools of an area, and their words for it. */
export interface ToolArea {
  readonly place: Place;
  /** The word after `list_` and `get_`. */
  readonly plural: string;
  readonly about: string;
}

export const SETTINGS: ToolArea & { readonly place: 'settings' } = {
  place: 'settings',
  plural: 'novel_settings',
  about: 'the settings (characters, world, plans; the folder settings/) of a novel project',
};

export const CONTENTS: ToolArea & { readonly place: 'contents' } = {
  place: 'contents',
  plural: 'novel_content',
  about: 'the manuscript (chapters; the folder contents/) of a novel project',
};

export const INSTRUCTIONS: ToolArea & { readonly place: 'instructions' } = {
  place: 'instructions',
  plural: 'novel_instructions',
  about:
    'the instructions (DIALOGOI.md) of a novel project: how its author wants it to be worked on',
};

/** Returns the tools of a place, to name them in messages. */
export function toolsOf(place: Place): { readonly list: string; readonly get: string } {
  const area = [SETTINGS, CONTENTS, INSTRUCTIONS].find((known) => known.place === place);
  return { list: `list_${area?.plural}`, get: `get_${area?.plural}` };
}
