import { parseCookie } from 'cookie'
import type { Request, Response } from 'express'
import type { ConsentRequest } from '../../auth/oauth/server/consent-request.ts'
import type { Deps } from '../deps.ts'
import type { Assets } from './assets.ts'
import { htmlPage } from './page.ts'
import { loadPainter, type Painter } from './painter.ts'
import { sendPage } from './send-page.ts'

export type ConnectPages = {
  /** Sends the page that asks the owner. `problem`: why the last answer was refused. */
  sendConsent(req: Request, res: Response, request: ConsentRequest, problem?: string): Promise<void>
  /** Sends the page that says that there is nothing to decide. */
  sendOver(req: Request, res: Response): Promise<void>
  /** The page that says why a program was not connected. */
  problemPage(req: Request, problem: string): Promise<string>
}

/** Spaces that are offered. */
const maxSpaces = 200

export function createConnectPages({ repos }: Pick<Deps, 'repos'>, assets: Assets): ConnectPages {
  return {
    async sendConsent(req, res, request, problem) {
      const filter = { within: null, deleted: false, before_id: null, limit: maxSpaces }
      const spaces = (await repos.spaces.list(filter)).map(({ id, name }) => ({ id, name }))
      const form = { ...request, action: req.originalUrl, spaces, problem: problem ?? null }
      const page = await document(req, 'Connect a program', (painter) => painter.consentPage(form))
      await sendPage(req, res, problem === undefined ? 200 : 400, page)
    },

    async sendOver(req, res) {
      const problem =
        'This request has expired, or was begun in another browser. Start again from the program.'
      await sendPage(req, res, 410, await problemPage(req, problem))
    },

    problemPage,
  }

  async function problemPage(req: Request, problem: string): Promise<string> {
    return await document(req, 'Not connected', (painter) => painter.connectProblemPage(problem))
  }

  async function document(req: Request, title: string, paint: (painter: Painter) => string): Promise<string> {
    const painter = await loadPainter()
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    const { style, icon } = await assets.manifest()
    const head = { title, script: null, style, icon, preload: [] }
    return htmlPage(head, { html: paint(painter), preloaded: {}, prefs })
  }
}
