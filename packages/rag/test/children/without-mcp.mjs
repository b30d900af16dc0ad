// The error of a program without the optional packages of `/mcp`.
import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('@modelcontextprotocol/')) return next(specifier, context);
  throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const { serveNovelHttp, serveNovelStdio, createNovelMcpServer } =
  await import('@vizprompt/rag/mcp');
const messages = [];
for (const start of [serveNovelHttp, serveNovelStdio, createNovelMcpServer]) {
  await start({}).catch(({ code, message }) => messages.push(`${code}: ${message}`));
}
process.send(messages);
