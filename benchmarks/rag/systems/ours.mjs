import { Chunk, SegmentBackend } from '@vizprompt/rag';
import { openAnalyzer } from '../open-analyzer.mjs';

/** Every text is one chunk, as it is. */
function wholeTexts(titles) {
  return {
    id: 'whole-1',
    chunk({ novelId, filePath, text: content }) {
      const lines = { startLine: 1, endLine: content.split('\n').length };
      const title = titles.get(filePath) ?? '';
      const chunk = new Chunk({ title, content, filePath, novelId, chunkIndex: 0, ...lines });
      return Promise.resolve([chunk]);
    },
  };
}

/** Our index over texts of which each is a document. */
export async function openOurs({ folder, dictionaries }) {
  const titles = new Map();
  const documents = [];
  const backend = await SegmentBackend.open({
    folder,
    analyzer: await openAnalyzer(dictionaries),
    chunking: wholeTexts(titles),
  });
  return {
    add(id, text, title) {
      const filePath = `${id}.txt`;
      if (title !== undefined) titles.set(filePath, title);
      documents.push({ novelId: 'bench', filePath, text });
    },
    done: () => backend.index(documents),
    async search(query, k) {
      const { hits } = await backend.search(query, { k });
      return hits.map(({ payload }) => Number.parseInt(payload.file, 10));
    },
    close: () => backend.close(),
  };
}
