// A part of the attack by servers that Void reads from. `npm run attack` tries them all.

import { expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { everyNth } from '../../helpers/hostile/payloads.ts'
import { makeCrashDatabase } from '../crash/crash-database.ts'
import { mailManners } from './manners/mail-servers.ts'
import { sourceManners } from './manners/sources.ts'
import { tryManners as tryMail } from './surfaces/imap.ts'
import { tryManners as trySources, withSources } from './surfaces/mcp-sources.ts'
import { watchVoid } from './watch-void.ts'

test('a server goes on, and says what is wrong, whatever a mail server sends', async () => {
  const { url, drop } = await makeCrashDatabase()
  const server = await watchVoid({ databaseUrl: url, prepareFolder: makeDataFolder })
  const falls: string[] = []

  await tryMail(server, everyNth(mailManners, 4), (each) => falls.push(...each)).finally(server.stop)
  await drop()

  expect(falls).toEqual([])
}, 120_000)

test('a server goes on, and says what is wrong, whatever a source sends', async () => {
  const { url, drop } = await makeCrashDatabase()
  const falls: string[] = []
  const some = everyNth(sourceManners, 4)

  await withSources(url, (server) => trySources(server, some, (each) => falls.push(...each)), makeDataFolder)
  await drop()

  expect(falls).toEqual([])
}, 120_000)
