import { runProcess } from '../frame/run-process.ts';
import { dialogoi } from './tool.ts';

await runProcess(dialogoi);
