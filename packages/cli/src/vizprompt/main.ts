import { runTool } from '../frame/run-tool.ts';
import { vizprompt } from './tool.ts';

await runTool(vizprompt);
