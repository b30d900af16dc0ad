// Writes files of a project that others write too, and reports which of them it has made:
// `create-project-files.mjs PROJECT_ROOT COUNT`.
import { loadRagConfig, NovelService } from '@vizprompt/rag';

const [projectRoot, count] = process.argv.slice(2);
const novels = await NovelService.open({ config: await loadRagConfig({ projectRoot }) });
const made = [];
for (let at = 10; at < 10 + Number(count); at++) {
  const written = await novels.add('灯台', 'settings', `${at}.md`, 'x', { overwrite: true });
  if (written.created) made.push(`${at}.md`);
}
process.send(made, () => process.exit());
