// #region synonyms
import { compactAnalyzer, readSynonyms, SegmentBackend } from '@vizprompt/rag';

const analyzer = await compactAnalyzer();
const synonyms = readSynonyms('# 名前とあだ名\nミナト, 灯ちゃん\n源蔵, 祖父, 先代', analyzer);
await using backend = await SegmentBackend.open({ folder: './index', analyzer, synonyms });
const { hits } = await backend.search('先代の埋めた箱');
console.log(hits[0]?.payload.file);
// #endregion synonyms
