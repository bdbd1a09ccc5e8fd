import type { PasskeyRequestOptions } from '../../../lib/contract/auth.ts'
import { createApi } from '../../app/api/api.ts'
import { askPasskey } from './device.ts'

/** Answers what a sign-in asked for. Rejects with an `ApiError`. */
export async function finishSignIn(passkey: PasskeyRequestOptions): Promise<void> {
  await createApi().post('/api/session/passkey', await askPasskey(passkey))
}
