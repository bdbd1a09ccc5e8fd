import { textTask } from '../../../jobs/workers/text-threads.ts'
import { verifyClaims } from '../check/verify-claims.ts'

/** Verification, in a thread where the texts are large. */
export const verifyTask = textTask(new URL('../check/verify-claims.ts', import.meta.url), verifyClaims)
