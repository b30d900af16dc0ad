import { runProcess } from '../frame/run-tool.ts';
import { dialogoi } from './tool.ts';

await runProcess(dialogoi);
