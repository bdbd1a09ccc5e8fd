// Where the owner's browser comes back to from signing in to a source.

import { type Request, Router } from 'express'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Deps } from '../deps.ts'
import type { Guard } from '../guard.ts'
import { sourceCallbackPath } from '../own-address.ts'
import type { Assets } from './assets.ts'
import { createConnectPages } from './connect-page.ts'
import { bounceOrSignIn, findOwner } from './owner.ts'
import { sendPage } from './send-page.ts'

const parameter = z.string().max(8000)
const answer = z.object({
  state: parameter,
  code: parameter.optional(),
  iss: parameter.optional(),
  error: parameter.optional(),
})

export function createSourceCallback(deps: Deps, guard: Guard, assets: Assets): Router {
  const router = Router()
  const pages = createConnectPages(deps, assets)

  router.get(sourceCallbackPath, async (req, res) => {
    const owner = await findOwner(guard, req, res)
    if (!owner) return bounceOrSignIn(req, res)
    try {
      await finish(req, owner.kind === 'owner' ? (owner.session_id ?? null) : null)
      // How it went stands at the source.
      res.redirect(303, '/settings/sources')
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await sendPage(req, res, error.status, await pages.problemPage(req, error.message))
    }
  })

  return router

  async function finish(req: Request, sessionId: string | null): Promise<void> {
    const given = answer.safeParse(req.query)
    if (!given.success) {
      throw new AppError(
        'sign_in_over',
        400,
        'This address is only for coming back from signing in to a source.',
      )
    }
    await deps.sources.finishSignIn(given.data, sessionId)
  }
}
