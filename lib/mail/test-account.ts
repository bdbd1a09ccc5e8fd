import type { MailTest } from '../contract/mail.ts'
import type { MailAccountRow } from '../db/repos/mail_accounts.ts'
import type { PasswordStore } from './account-password.ts'
import { addressOf } from './sync/follow-account.ts'
import { mailProblem, stopped } from './sync/mail-problem.ts'
import type { ConnectMailServer } from './sync/mail-server.ts'
import { pickFolders } from './sync/pick-folders.ts'

const testMs = 30_000

export type TestDeps = { secrets: Pick<PasswordStore, 'resolve'>; connect: ConnectMailServer }

/** Signs in, looks for the folders and opens one; says in a sentence what is wrong. */
export async function testAccount(deps: TestDeps, row: MailAccountRow): Promise<MailTest> {
  try {
    return { ok: true, error: null, folders: await findFolders(deps, row) }
  } catch (error) {
    return { ok: false, error: mailProblem(error).message, folders: [] }
  }
}

async function findFolders({ secrets, connect }: TestDeps, row: MailAccountRow): Promise<string[]> {
  const server = await connect(await addressOf(secrets, row), AbortSignal.timeout(testMs))
  try {
    const folders = pickFolders(await server.listFolders(), row.folders)
    if (!folders[0]) throw stopped('It signed in, but none of the chosen folders is there.')
    await server.open(folders[0])
    return folders
  } finally {
    await server.close()
  }
}
