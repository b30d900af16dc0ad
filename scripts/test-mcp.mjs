// Checks the MCP servers of novel projects and of the memory with what the makers of the protocol offer:
// the scenarios of the conformance suite, and the command line of the Inspector. Both need Node 22; where
// this one is older, they run with one that npm brings. `npm run build:js` comes first.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = fileURLToPath(new URL('./mcp', import.meta.url));
const modules = join(here, 'node_modules');
const conformance = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const program = join(here, 'serve.mjs');
const [dialogoi, ptta] = ['dialogoi', 'ptta'].map((name) =>
  fileURLToPath(new URL(`../packages/cli/dist/bin/${name}.cjs`, import.meta.url)),
);
const problems = [];

if (!existsSync(conformance) || !existsSync(inspector)) {
  // They are run with another Node than this one.
  const options = ['--ignore-scripts', '--engine-strict=false', '--prefer-offline', '--no-audit'];
  execFileSync('npm', ['ci', ...options], { cwd: here, stdio: 'inherit' });
}
const node = newEnoughNode();
const folder = mkdtempSync(join(tmpdir(), 'vizprompt-mcp-'));
const root = join(folder, 'novels');
const files = {
  '灯台/DIALOGOI.md': '一人称で書く。\n',
  '灯台/settings/人物.md': '# 灯\n\n灯台守の娘。\n',
  '灯台/contents/01.md': '# 第一章\n\n嵐の夜、灯は灯台の火を守った。\n',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const server = spawn(process.execPath, [program, root, 'http'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  server.stdout.setEncoding('utf8');
  const [line] = await Promise.race([
    once(server.stdout, 'data'),
    once(server, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
  ]);
  const url = line.trim();
  await checkConformance(url);
  await checkInspector('stdio', [process.execPath, program, root, 'stdio'], novelChecks());
  await checkInspector('http', [url], novelChecks());
  // The projects are those in the folder where it is started, and so is the memory.
  await checkInspector('dialogoi mcp', [process.execPath, dialogoi, 'mcp'], novelChecks());
  for (const args of [['session:start'], ['log:user', '認証機能を追加してください']]) {
    execFileSync(process.execPath, [ptta, ...args], { cwd: folder, env: environment() });
  }
  await checkInspector('ptta mcp', [process.execPath, ptta, 'mcp'], memoryChecks());
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

async function checkConformance(url) {
  const expected = join(here, 'expected-failures.yml');
  const results = join(folder, 'results');
  const args = ['server', '--url', url, '--expected-failures', expected, '-o', results];
  try {
    const { stdout } = await run(node, [conformance, ...args], { maxBuffer: 1e8 });
    console.log(stdout.slice(stdout.indexOf('=== SUMMARY ===')));
  } catch (error) {
    problems.push(`the conformance suite: ${error.stdout ?? error.message}`);
  }
}

/** Each method once, and what its answer must hold. */
function novelChecks() {
  const uri = `dialogoi://novels/${encodeURIComponent('灯台')}/contents/01.md`;
  const search = ['search_novel_content', 'novelId=灯台', 'query=火を守ったのは誰？'];
  return [
    [['--method', 'tools/list', '--strict'], (answer) => answer.tools.length === 11],
    [call(...search), (answer) => answer.structuredContent.hits[0].file === 'contents/01.md'],
    [
      call('get_novel_settings', 'novelId=灯台'),
      (answer) => answer.content[0].text.includes('灯台守の娘'),
    ],
    [['--method', 'resources/list'], (answer) => answer.resources.length === 3],
    [['--method', 'resources/templates/list'], (answer) => answer.resourceTemplates.length === 1],
    [
      ['--method', 'resources/read', '--uri', uri],
      (answer) => /嵐の夜/.test(answer.contents[0].text),
    ],
  ];
}

/** The tools of the memory, those that read and one that writes. */
function memoryChecks() {
  return [
    [['--method', 'tools/list', '--strict'], (answer) => answer.tools.length === 9],
    [
      call('log', 'type=assistant_message', 'data={"content":"JWTで実装しました"}'),
      (answer) => typeof answer.structuredContent.event_id === 'string',
    ],
    [call('search', 'query=JWT'), (answer) => answer.structuredContent.hits.length === 1],
    [call('recall', 'query=認証'), (answer) => /認証機能/.test(answer.content[0].text)],
    [call('timeline'), (answer) => answer.structuredContent.events.length === 2],
    [call('list_sessions'), (answer) => answer.structuredContent.sessions.length === 1],
  ];
}

function call(name, ...args) {
  const given = args.length > 0 ? ['--tool-arg', ...args] : [];
  return ['--method', 'tools/call', '--tool-name', name, ...given];
}

async function checkInspector(kind, target, checks) {
  for (const [args, isRight] of checks) {
    const name = `Inspector, ${kind}: ${args.join(' ')}`;
    try {
      const { stdout } = await run(node, [inspector, '--cli', ...target, ...args], {
        env: environment(),
        cwd: folder,
      });
      if (!isRight(JSON.parse(stdout))) problems.push(`${name}: ${stdout}`);
      else console.log(`✓ ${name}`);
    } catch (error) {
      problems.push(`${name}: ${error.stderr ?? ''}${error.message}`);
    }
  }
}

/** A home without anything of whoever runs this. */
function environment() {
  return { ...process.env, HOME: folder, MCP_CATALOG_PATH: join(folder, 'mcp.json') };
}

function newEnoughNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const brought = join(modules, `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(brought)) return brought;
  throw new Error(`npm has no node-${process.platform}-${process.arch}: run this with Node 22.19`);
}
