import type { Prose } from './prose.d.mts';

export function sentencesIn(file: string, text: string): readonly Prose[];
export function titlesIn(file: string, text: string): readonly Prose[];
