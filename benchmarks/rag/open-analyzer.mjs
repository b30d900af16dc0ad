import { compactAnalyzer } from '@vizprompt/rag';

/** The default analyser, with the dictionary of this run and not that of the user's cache. */
export const openAnalyzer = (cacheFolder) => compactAnalyzer({ cacheFolder });

/** The words that an analyser would search for, in basic form. */
export const tokensOf = (analyzer) => (text) =>
  analyzer.words(text).flatMap(({ basic, isContent }) => (isContent ? [basic] : []));
