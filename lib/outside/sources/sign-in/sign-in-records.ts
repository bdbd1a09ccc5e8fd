import type { z } from 'zod'
import type { SourceSecret, SourceSecrets } from '../../../auth/secrets/source-secrets.ts'
import { OpenSignIn, SignInRecord } from './sign-in-record.ts'

/** What is stored of sign-ins, by source. `null` when there is none, or it cannot be decrypted. */
export function createSignInRecords(secrets: SourceSecrets) {
  return {
    find: (sourceId: string) => read(sourceId, 'sign-in', SignInRecord),
    save: (sourceId: string, record: SignInRecord) =>
      secrets.write(sourceId, 'sign-in', JSON.stringify(record)),
    remove: (sourceId: string) => secrets.remove(sourceId, 'sign-in'),

    findOpen: (sourceId: string) => read(sourceId, 'open-sign-in', OpenSignIn),
    /** In place of the one that was begun before. */
    saveOpen: (sourceId: string, open: OpenSignIn) =>
      secrets.write(sourceId, 'open-sign-in', JSON.stringify(open)),
    /** Whether it was this call that removed it, of several at once. */
    removeOpen: (sourceId: string) => secrets.remove(sourceId, 'open-sign-in'),
  }

  async function read<Schema extends z.ZodType>(
    sourceId: string,
    what: SourceSecret,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    const text = await secrets.read(sourceId, what)
    return text === null ? null : schema.parse(JSON.parse(text))
  }
}

export type SignInRecords = ReturnType<typeof createSignInRecords>
