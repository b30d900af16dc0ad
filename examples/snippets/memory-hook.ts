// #region hook
import { runHook } from '@vizprompt/memory/hooks';

await runHook();
// #endregion hook
