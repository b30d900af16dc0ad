// The calls that write summaries, in one module that the first of them loads.
export { build, buildOne } from './build/build.ts';
export { mergeByContent } from './structure/merge-by-content.ts';
