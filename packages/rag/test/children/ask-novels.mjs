// `ask-novels.mjs ENTRY ROOT QUERY [WATCH]` searches the project 灯台 below a root, and prints what it found, lists and reads.
const [, , entry, root, query, watch] = process.argv;
const { loadRagConfig, NovelService, segmenterAnalyzer } = await import(entry);
const config = await loadRagConfig({ cwd: root, env: {}, args: ['--project-root', root] });
const failures = [];
const service = await NovelService.open({
  config,
  analyzer: segmenterAnalyzer(),
  watch: watch === 'watch',
  on: { 'index:failed': ({ error }) => failures.push(String(error?.message ?? error)) },
});
try {
  const { hits, incomplete = false } = await service.search('灯台', query);
  const { files: listed } = await service.list('灯台', 'contents');
  const { files: read } = await service.read('灯台', 'contents');
  const problems = Object.fromEntries(
    [...listed, ...read].flatMap(({ path, problem }) => (problem ? [[path, problem]] : [])),
  );
  const found = hits.map(({ payload }) => payload.file);
  const texts = read.map(({ text }) => text).filter((text) => text !== '');
  process.stdout.write(`${JSON.stringify({ found, incomplete, problems, texts, failures })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message })}\n`);
} finally {
  await service.close();
}
