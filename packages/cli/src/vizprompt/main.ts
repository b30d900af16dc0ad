import { runProcess } from '../frame/run-tool.ts';
import { vizprompt } from './tool.ts';

await runProcess(vizprompt);
