import { runTool } from '../frame/run-tool.ts';
import { dialogoi } from './tool.ts';

await runTool(dialogoi);
