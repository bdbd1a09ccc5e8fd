// The authorization server from outside: its paths in other spellings, redirect addresses, documents of clients, PKCE, and
// codes and tokens that are used by several at once. A program must never get more than the owner allowed it, once.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBrowser } from '../../../auth/oauth/program.ts'
import { createRawClient } from '../../../auth/oauth/raw-client.ts'
import { ownerToken } from '../../../helpers/owner-token.ts'
import { startVoidProcess } from '../../../helpers/void-process.ts'
import { type Client, createClient } from '../attack-world.ts'
import { tryDocuments } from '../oauth/documents.ts'
import { fromAnywhere } from '../oauth/oauth-world.ts'
import { tryPaths } from '../oauth/paths.ts'
import { tryRedirects, tryRegistrations } from '../oauth/redirects.ts'
import { tryExchanges, tryRaces, tryTokens } from '../oauth/tokens.ts'
import type { Surface } from '../surface.ts'

export const surface: Surface = {
  name: 'OAuth',
  async attack(trial, { databaseUrl }) {
    const folder = mkdtempSync(join(tmpdir(), 'void-oauth-'))
    const server = await startVoidProcess({
      DATA_DIR: folder,
      OWNER_TOKEN: ownerToken,
      TRUST_PROXY: '1',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    })
    const { url } = server
    try {
      const client = createRawClient(url, fromAnywhere)
      const browser = createBrowser(url, fromAnywhere)
      await browser.signIn()
      const ask = createClient(url)
      const call: Client = (method, path, body) => ask(method, path, body, ownerToken)
      const world = { ...trial, url, call, client, browser, id: await client.newId() }
      await tryPaths(world)
      await tryRedirects(world)
      await tryRegistrations(world)
      await tryDocuments(world)
      await tryExchanges(world)
      await tryRaces(world)
      await tryTokens(world)
    } finally {
      server.kill()
      await server.gone
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
