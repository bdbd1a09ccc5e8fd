// A Void with a Space and an account of mail whose server is a mailbox in memory.

import { expect } from 'vitest'
import type { MailAccount, MailThread } from '../../../lib/contract/mail.ts'
import { type BuildOptions, buildApp, type TestApp } from '../../helpers/build-app.ts'
import { FakeMailbox } from './fake-mailbox.ts'

export type MailVoid = TestApp & {
  mailbox: FakeMailbox
  space: { id: string; slug: string }
  /** Adds the account of the mailbox to a Space. */
  addAccount(more?: object, spaceId?: string): Promise<MailAccount>
  account(id: string, spaceId?: string): Promise<MailAccount>
  threads(query?: string, spaceId?: string): Promise<MailThread[]>
  /** Resolves when the account is up to date with what the mailbox holds now. */
  upToDate(id: string, spaceId?: string): Promise<MailAccount>
}

export const ownAddress = 'keeper@skerry.example'

export async function mailVoid(options: BuildOptions = {}): Promise<MailVoid> {
  const mailbox = new FakeMailbox()
  const app = await buildApp({
    connectMail: mailbox.connect,
    connectDrafts: mailbox.connectDrafts,
    ...options,
  })
  const { owner } = app
  const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)

  const account = async (id: string, spaceId = space.id) => {
    const { body } = await owner.get(`/api/spaces/${spaceId}/mail-accounts`).expect(200)
    return body.items.find((one: MailAccount) => one.id === id)
  }
  return {
    ...app,
    mailbox,
    space,
    account,
    async addAccount(more = {}, spaceId = space.id) {
      const settings = {
        address: ownAddress,
        host: 'localhost',
        port: 143,
        security: 'none',
        password: 'secret',
      }
      const { body } = await owner
        .post(`/api/spaces/${spaceId}/mail-accounts`)
        .send({ ...settings, ...more })
        .expect(201)
      return body
    },
    async threads(query = '', spaceId = space.id) {
      const { body } = await owner.get(`/api/spaces/${spaceId}/mail-threads${query}`).expect(200)
      return body.items
    },
    async upToDate(id, spaceId = space.id) {
      // A sync under way may have looked into the mailbox before the test filled it.
      const isSyncing = async () =>
        ['waiting', 'connecting', 'syncing'].includes((await account(id, spaceId)).state)
      await expect.poll(isSyncing, { timeout: 15_000, interval: 30 }).toBe(false)
      const asked = new Date().toISOString()
      await owner.post(`/api/mail-accounts/${id}/sync`).expect(202)
      const isUpToDate = async () => {
        const now = await account(id, spaceId)
        return now.state === 'watching' && now.last_sync_at !== null && now.last_sync_at >= asked
      }
      await expect.poll(isUpToDate, { timeout: 15_000, interval: 30 }).toBe(true)
      return await account(id, spaceId)
    },
  }
}
