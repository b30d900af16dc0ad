// What writes summaries, in one module that the first such call loads.
export { build, buildOne } from './build/build.ts';
export { mergeByContent } from './structure/merge-by-content.ts';
