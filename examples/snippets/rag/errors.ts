// #region errors
import { KeywordFlexBackend, SearchError, segmenterAnalyzer } from '@vizprompt/rag';

await using backend = await KeywordFlexBackend.open({ analyzer: segmenterAnalyzer() });
try {
  await backend.search('/(?<!開け)るな/');
} catch (error) {
  if (!SearchError.isInstance(error)) throw error;
  console.log(error.code, error.position, error.message); // query-invalid 1 ... RE2 has no lookaround: ...
}
// #endregion errors
