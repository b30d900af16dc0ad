#!/usr/bin/env node
import { keepCompiled } from '../frame/start.ts';

keepCompiled();
const { runTool } = await import('../frame/run-tool.ts');
const { dialogoi } = await import('../dialogoi/tool.ts');
await runTool(dialogoi);
