// #region novel-errors
import { loadRagConfig, NovelService, RagError } from '@vizprompt/rag';

const config = await loadRagConfig({ projectRoot: './novels' });
await using novels = await NovelService.open({ config });
try {
  await novels.add('灯台', 'settings', '../../secret.md', 'x');
} catch (error) {
  if (!RagError.isInstance(error)) throw error;
  console.log(error.code, error.message); // path-invalid "灯台/settings/../../secret.md" is not ...
}
// #endregion novel-errors
