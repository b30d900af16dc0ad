#!/usr/bin/env node
import { keepCompiled } from '../frame/start.ts';

keepCompiled();
const { runTool } = await import('../frame/run-tool.ts');
const { vizprompt } = await import('../vizprompt/tool.ts');
await runTool(vizprompt);
