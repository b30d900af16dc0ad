// #region thesaurus
import { compactAnalyzer, compileThesaurus, openThesaurus, SegmentBackend } from '@vizprompt/rag';

const analyzer = await compactAnalyzer();
const source = '鍵, 錠前, キー\n怒鳴る, 叫ぶ, わめく';
compileThesaurus({ source, analyzer, path: './thesaurus.bin', notice: 'our own list' });
const thesaurus = openThesaurus({ path: './thesaurus.bin', analyzer });
await using backend = await SegmentBackend.open({ folder: './index', analyzer, thesaurus });
const { hits } = await backend.search('錠前はどこに埋められた？');
console.log(hits[0]?.payload.file);
// #endregion thesaurus
