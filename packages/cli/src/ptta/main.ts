import { runTool } from '../frame/run-tool.ts';
import { ptta } from './tool.ts';

await runTool(ptta);
