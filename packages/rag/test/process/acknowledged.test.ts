import { expect, it } from 'vitest';
import { loadRagConfig, NovelService, segmenterAnalyzer } from '../../src/index.ts';
import { put } from '../support/indexed-project.ts';
import { temporaryFolder } from '../support/search-index.ts';

it.each([false, true])(
  'what one service has acknowledged, another finds with its next search; polling: %s',
  async (usePolling) => {
    const root = temporaryFolder();
    put(root, '灯台/contents/0.md', '嵐の夜。');
    const config = await loadRagConfig({ cwd: root, env: {}, args: ['--project-root', root] });
    const open = (): Promise<NovelService> =>
      NovelService.open({ config, analyzer: segmenterAnalyzer(), usePolling });
    await using one = await open();
    await using other = await open();
    await other.search('灯台', '嵐');
    for (let round = 1; round <= 10; round++) {
      await one.add('灯台', 'contents', `部${round % 3}/${round}.md`, `第${round}夜は凪。`);
      const { hits } = await other.search('灯台', `"第${round}夜"`);
      expect(hits.map(({ content }) => content)).toEqual([`第${round}夜は凪。`]);
      // Each is as good as the other.
      const overwrite = { overwrite: true };
      await other.add('灯台', 'contents', '0.md', `第${round}朝は嵐。`, overwrite);
      const { hits: back } = await one.search('灯台', `"第${round}朝"`);
      expect(back.map(({ content }) => content)).toEqual([`第${round}朝は嵐。`]);
    }
  },
);
