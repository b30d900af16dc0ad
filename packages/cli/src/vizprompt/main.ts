import { runProcess } from '../frame/run-process.ts';
import { vizprompt } from './tool.ts';

await runProcess(vizprompt);
