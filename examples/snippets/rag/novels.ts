// #region novels
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });
for (const { id, title } of await novels.listProjects()) console.log(id, title);
// #endregion novels
