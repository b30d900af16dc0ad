export interface Prose {
  readonly prose: string;
  /** The line where it begins, from 1. */
  readonly line: number;
}
export function commentsIn(text: string): Prose[];
export function paragraphsIn(text: string): Prose[];
