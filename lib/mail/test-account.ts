import type { MailTest } from '../contract/mail.ts'
import type { MailAccountRow } from '../db/repos/mail_accounts.ts'
import type { AccountAccess } from './sync/account-access.ts'
import { mailProblem, stopped } from './sync/mail-problem.ts'
import type { ConnectMailServer } from './sync/mail-server.ts'
import { pickFolders, readableFolders } from './sync/pick-folders.ts'

const testMs = 30_000
const maxAvailable = 300

export type TestDeps = { access: AccountAccess; connect: ConnectMailServer }

/** Signs in, looks for the folders and opens one; says in a sentence what is wrong. */
export async function testAccount(deps: TestDeps, row: MailAccountRow): Promise<MailTest> {
  try {
    return { ok: true, error: null, ...(await findFolders(deps, row)) }
  } catch (error) {
    return { ok: false, error: mailProblem(error).message, folders: [], available: [] }
  }
}

async function findFolders(
  { access, connect }: TestDeps,
  row: MailAccountRow,
): Promise<Pick<MailTest, 'folders' | 'available'>> {
  const server = await access.connect(connect, row, AbortSignal.timeout(testMs))
  try {
    const listed = await server.listFolders()
    const folders = pickFolders(listed, row.folders)
    if (!folders[0]) throw stopped('It signed in, but none of the chosen folders is there.')
    await server.open(folders[0])
    const available = readableFolders(listed).map(({ path }) => path)
    return { folders, available: available.slice(0, maxAvailable) }
  } finally {
    await server.close()
  }
}
