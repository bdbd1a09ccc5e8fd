// The pages that the server renders itself: signing in and the start page. No script, no inline style.

import { fileURLToPath } from 'node:url'
import express, { type Request, type Response, Router } from 'express'
import type { Deps } from '../api/deps.ts'
import type { Guard } from '../api/guard.ts'
import { readSession, writeSession } from '../api/session-cookie.ts'
import { createEntitiesRepo } from '../db/repos/entities.ts'
import { createPendingChangesRepo } from '../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../db/repos/spaces.ts'
import { AppError } from '../errors.ts'
import type { Html } from './html.ts'
import { type StartFacts, signInPage, startPage } from './start-page.ts'

const styles = fileURLToPath(new URL('../../public/styles/', import.meta.url))
const mostShown = 200

export function createShell(deps: Deps, guard: Guard): Router {
  const router = Router()
  const readForm = express.urlencoded({ extended: false, limit: '4kb' })

  router.use('/assets', express.static(styles, { index: false, redirect: false, maxAge: '1h' }))

  router.get('/', async (req, res) => {
    if (await isOwner(req, res)) send(res, 200, startPage(await collectFacts(deps)))
    else res.redirect(303, '/sign-in')
  })

  router.get('/sign-in', async (req, res) => {
    const { token } = req.query
    if (typeof token === 'string') await signIn(req, res, token)
    else send(res, 200, signInPage(null))
  })

  router.post('/sign-in', readForm, async (req, res) => {
    await signIn(req, res, String(req.body?.token ?? '').trim())
  })

  router.post('/sign-out', async (req, res) => {
    await guard.admit('owner', req, res)
    const session = readSession(req)
    if (session) await deps.authentication.closeSession(session)
    writeSession(req, res, '', 0)
    res.redirect(303, '/sign-in')
  })

  return router

  async function signIn(req: Request, res: Response, token: string): Promise<void> {
    try {
      const { session, maxAgeMs } = await deps.authentication.openSession(token)
      writeSession(req, res, session, maxAgeMs)
      res.redirect(303, '/')
    } catch (error) {
      if (!(error instanceof AppError && error.status === 401)) throw error
      await guard.countFailure(req, res)
      send(
        res,
        401,
        signInPage('That is not the owner’s token. Check for a missing character and try again.'),
      )
    }
  }

  async function isOwner(req: Request, res: Response): Promise<boolean> {
    try {
      await guard.admit('owner', req, res)
      return true
    } catch (error) {
      if (error instanceof AppError && (error.status === 401 || error.status === 403)) return false
      throw error
    }
  }
}

async function collectFacts({ database, kinds, models, version }: Deps): Promise<StartFacts> {
  const rows = await createSpacesRepo(database).list({
    within: null,
    deleted: false,
    before_id: null,
    limit: mostShown,
  })
  const entities = createEntitiesRepo(database)
  const spaces = []
  for (const row of rows) spaces.push({ ...row, counts: await entities.countAll(kinds.all, row.id) })
  const pending = await createPendingChangesRepo(database).countPending()
  const { mode, name } = models.current()
  return { spaces, pending, model: { mode, name }, version }
}

function send(res: Response, status: number, page: Html): void {
  res.status(status).setHeader('cache-control', 'no-store').type('html').send(page.text)
}
