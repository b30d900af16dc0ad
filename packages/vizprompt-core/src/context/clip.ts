import { estimateTokens } from '../index/node-index.ts';

/** The beginning of a text, with `…` where it was cut; never within a character. */
export function clip(text: string, limit: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= limit) return text;
  const length = Math.max(1, Math.floor((text.length * limit) / tokens));
  const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const border = start.lastIndexOf(' ');
  const words = border > start.length / 2 ? start.slice(0, border) : start;
  return `${words.replace(/[\s、,;:]+$/, '')}…`;
}
