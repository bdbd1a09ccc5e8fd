import { textTask } from '../../../jobs/workers/text-threads.ts'
import { verifyClaims } from '../verify/verify.ts'

/** Verification, in a thread where the texts are large. */
export const verifyTask = textTask(new URL('../verify/verify.ts', import.meta.url), verifyClaims)
